/** What other UMA providers find under the domains of the platforms (UMA-2). */
import type { FastifyInstance } from 'fastify'
import { addMs, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import { umaPublicKeys } from '../../providers/uma/uma-keys.ts'
import type { PageHost } from '../page-host.ts'

/** So long others may keep the keys: they change with the master key. */
const KEPT_MS = HOUR_MS

export function registerUmaKeysPage(http: FastifyInstance, { deps }: PageHost): void {
  http.get('/.well-known/lnurlpubkey', () => ({
    ...umaPublicKeys(deps.keyring),
    expirationTimestamp: Math.floor(addMs(deps.clock.now(), KEPT_MS).getTime() / SECOND_MS),
  }))
}
