import { MONEY } from './money.ts'
import { PEOPLE } from './people.ts'
import { PROGRAMS } from './programs.ts'
import {
  operationOf,
  usualSituation,
  type Prepare,
  type SampleSetting,
  type Situation,
} from './situation.ts'
import { WALLETS } from './wallets.ts'

const UNUSUAL: Readonly<Record<string, Prepare>> = { ...PEOPLE, ...WALLETS, ...MONEY, ...PROGRAMS }

/** A request of the operation that succeeds now. */
export const prepare = (id: string, setting: SampleSetting): Promise<Situation> =>
  UNUSUAL[id]?.(setting) ?? usualSituation(operationOf(id), setting)
