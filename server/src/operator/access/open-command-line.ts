import type { Deps } from '../../infra/deps.ts'
import { hasOperators } from '../operators/store.ts'

/** Whether users of the machine need no token: by setting, or until the first operator is invited (OPER-6). */
export const isCommandLineOpen = async ({
  settings,
  db,
}: Pick<Deps, 'settings' | 'db'>): Promise<boolean> =>
  settings.operatorCli === 'open' || !(await hasOperators(db.read))
