import type { Platform } from '../../../kernel/platform.ts'
import type { Channel } from '../contact/machine.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const EU = words('AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE')
const EEA_BEYOND_EU = words('IS LI NO')

/** The regions of isScaRegion as a list, for queries. */
export const SCA_REGIONS: readonly string[] = [...EU, ...EEA_BEYOND_EU]

/** Whether the customer's region requires strong customer authentication (chapter 21, section 1). */
export const isScaRegion = (region: string | undefined): boolean =>
  region !== undefined && (EU.has(region) || EEA_BEYOND_EU.has(region))

/** The channels to verify (chapter 10, 1.2). A regulated platform runs its own compliance (CUST-22). */
export function requiredChannels(
  { kind }: Pick<Platform, 'kind'>,
  region: string | undefined,
): readonly Channel[] {
  if (kind !== 'UNREGULATED' || region === undefined) return []
  if (EU.has(region)) return ['email', 'phone']
  return EEA_BEYOND_EU.has(region) ? ['email'] : []
}
