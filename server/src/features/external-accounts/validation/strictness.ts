import type { Platform } from '../../../kernel/platform.ts'
import { traitsOf, hasStrictIdentifiers } from '../../../kernel/platform-traits.ts'
import { VASP_NAMES, bankNamesFor } from '../../discoveries/index.ts'
import type { AccountRules } from './account-info.ts'

type RulesInput = Readonly<{
  platform: Pick<Platform, 'environment' | 'strictIdentifiers'>
  now: Date
}>

/** How strictly this platform's accounts are checked, and against which directories (EACC-5). */
export function accountRules({ platform, now }: RulesInput): AccountRules {
  return {
    strict: hasStrictIdentifiers(platform),
    sandbox: traitsOf(platform).hasMagicValues,
    now,
    vaspNames: VASP_NAMES,
    bankNamesFor,
  }
}
