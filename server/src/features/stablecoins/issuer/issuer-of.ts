import { fail } from '../../../kernel/errors.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { StablecoinIssuer } from '../../../providers/stablecoin-issuer.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'

/** The adapter that serves the platform. Fails: NOT_IMPLEMENTED in production, which has none built in. */
export function issuerOf({ environment }: Pick<Platform, 'environment'>): StablecoinIssuer {
  return environment === 'SANDBOX' ? sandboxIssuer : fail('NOT_IMPLEMENTED')
}
