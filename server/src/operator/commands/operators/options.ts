/** What the commands about operators and their tokens read alike. */
import { ROLES, type Role } from '../../../kernel/access/operator.ts'
import { fail } from '../../../kernel/errors.ts'
import { mustParseId, parseId, type Id } from '../../../kernel/ids.ts'
import { FORMATS } from '../../../kernel/text/formats.ts'
import type { Deps } from '../../../infra/deps.ts'
import { UsageError, type Input, type Option } from '../../command.ts'
import { isOperatorName, type Operator } from '../../operators/operator.ts'
import { findOperator } from '../../operators/store.ts'
import { listPlatforms } from '../../queries/operator-store.ts'
import { dashboardOrigin } from '../../sign-in/dashboard-access.ts'

export const ROLES_OPTION: Option = { about: `Some of ${ROLES.join(',')}.`, value: 'LIST' }

export function nameOf(input: Input): string | undefined {
  const name = input.option('name')?.trim()
  if (name !== undefined && !isOperatorName(name))
    throw new UsageError('--name is 1 to 64 printable characters.')
  return name
}

export function emailOf(input: Input): string {
  const email = input.option('email') ?? ''
  if (!FORMATS['email']?.(email)) throw new UsageError('--email is an e-mail address.')
  return email
}

export function rolesOf(input: Input): readonly Role[] | undefined {
  const names = input.option('roles')?.split(',')
  const roles = ROLES.filter((role) => names?.includes(role))
  if (names && (roles.length !== new Set(names).size || roles.length === 0))
    throw new UsageError(`--roles are some of ${ROLES.join(',')}.`)
  return names && roles
}

/** Takes the limit away. */
const NONE = 'none'

/** Undefined where none is named, null for `none`. */
export async function platformsOf(
  { db }: Pick<Deps, 'db'>,
  input: Input,
): Promise<readonly Id<'platform'>[] | null | undefined> {
  const texts = input.options('platform')
  if (texts.length === 0) return undefined
  if (texts.join() === NONE) return null
  const ids = [...new Set(texts)].map((text) => mustParseId('platform', text))
  const known = new Set((await listPlatforms(db.read)).map(({ id }) => id))
  return ids.every((id) => known.has(id)) ? ids : fail('REFERENCE_NOT_FOUND')
}

/** By its id or by its name. */
export async function mustFindOperator({ db }: Pick<Deps, 'db'>, word: string): Promise<Operator> {
  const id = parseId('operator', word)
  const found = await findOperator(db.read, id ? { id } : { name: word })
  return found ?? fail('REFERENCE_NOT_FOUND')
}

export const originOf = ({ settings }: Pick<Deps, 'settings'>): string => {
  const origin = dashboardOrigin(settings)
  if (origin === undefined) throw new UsageError('ADMIN_PORT is 0, so there is no dashboard.')
  return origin
}
