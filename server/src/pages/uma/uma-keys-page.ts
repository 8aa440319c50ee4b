/** The keys that other UMA providers fetch from the platforms' domains (UMA-2). */
import type { FastifyInstance } from 'fastify'
import { addMs, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import { umaPublicKeys } from '../../providers/uma/uma-keys.ts'
import type { PageHost } from '../page-host.ts'

/** How long others may cache the keys, which change with the master key. */
const KEPT_MS = HOUR_MS

export function registerUmaKeysPage(http: FastifyInstance, { deps }: PageHost): void {
  http.get('/.well-known/lnurlpubkey', () => ({
    ...umaPublicKeys(deps.keyring),
    expirationTimestamp: Math.floor(addMs(deps.clock.now(), KEPT_MS).getTime() / SECOND_MS),
  }))
}
