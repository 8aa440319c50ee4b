import type { Deps } from '../../infra/deps.ts'
import { hasOperators } from '../operators/store.ts'

/** Whether users of the machine act without a token; so that the first operator can be invited, while there is none (OPER-6). */
export const isCommandLineOpen = async ({
  settings,
  db,
}: Pick<Deps, 'settings' | 'db'>): Promise<boolean> =>
  settings.operatorCli === 'open' || !(await hasOperators(db.read))
