import { fail } from '../../../kernel/errors.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { CardIssuer } from '../../../providers/card-issuer.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'

/** Who makes the platform's cards. Fails: NOT_IMPLEMENTED where nobody does (CARD-50). */
export function issuerOf({ environment }: Platform): CardIssuer {
  return environment === 'SANDBOX' ? sandboxIssuer : fail('NOT_IMPLEMENTED')
}
