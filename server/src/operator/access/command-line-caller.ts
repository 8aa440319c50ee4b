import type { Caller } from '../../kernel/access/operator.ts'
import { fail } from '../../kernel/errors.ts'
import type { Deps } from '../../infra/deps.ts'
import { readTextFile } from '../../infra/files/text-file.ts'
import type { CommandHead } from '../command.ts'
import { identifyToken } from '../operators/identify-token.ts'
import { hasOperators } from '../operators/store.ts'
import { localCaller } from './caller.ts'

/** Commands that keep or restore an installation need no token (OPER-6). */
const WITHOUT_TOKEN = ['migrate', 'backup', 'restore', 'doctor', 'operators recover']

export const needsToken = (
  { settings }: Pick<Deps, 'settings'>,
  { name }: Pick<CommandHead, 'name'>,
): boolean =>
  settings.operatorCli === 'token' &&
  !WITHOUT_TOKEN.includes(name) &&
  !(name === 'dashboard link' && settings.operatorLinks === 'on')

/** Whether users of the machine need no token: by setting, or until the first operator is invited (OPER-6). */
export const isCommandLineOpen = async (deps: Pick<Deps, 'settings' | 'db'>): Promise<boolean> =>
  deps.settings.operatorCli === 'open' || !(await hasOperators(deps.db.read))

/** A token that is limited to addresses has to allow this one. */
const THIS_MACHINE = '127.0.0.1'

/** Who runs the command on this machine. Fails: UNAUTHORIZED, FileError. */
export async function commandLineCaller(
  deps: Deps,
  command: Pick<CommandHead, 'name'>,
  tokenFile: string | undefined,
): Promise<Caller> {
  if (!needsToken(deps, command) || (await isCommandLineOpen(deps))) return localCaller()
  const token =
    tokenFile === undefined ? deps.settings.operatorToken : (await readTextFile(tokenFile)).trim()
  const caller = token === undefined ? undefined : await identifyToken(deps, token, THIS_MACHINE)
  return caller ?? fail('UNAUTHORIZED')
}
