import { fail } from '../../../kernel/errors.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { CardIssuer } from '../../../providers/card-issuer.ts'
import { providerKindFor } from '../../../providers/provider-for.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'

/** The issuer of the platform's cards. Fails: NOT_IMPLEMENTED where the platform has none (CARD-50). */
export function issuerOf(platform: Platform): CardIssuer {
  return providerKindFor(platform, 'cards') === 'sandbox' ? sandboxIssuer : fail('NOT_IMPLEMENTED')
}
