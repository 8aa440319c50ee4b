import { invariant } from '../../../kernel/invariant.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { CardIssuer } from '../../../providers/card-issuer.ts'
import { providerKindFor } from '../../../providers/provider-for.ts'
import { sandboxIssuer } from './sandbox-issuer.ts'

/** The issuer of the platform's cards: operations on cards require one (CARD-50). */
export function issuerOf(platform: Platform): CardIssuer {
  invariant(
    providerKindFor(platform, 'cards') === 'sandbox',
    'A platform with cards has an issuer.',
  )
  return sandboxIssuer
}
