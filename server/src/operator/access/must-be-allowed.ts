import type { Caller, Role } from '../../kernel/access/operator.ts'
import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { CommandHead, Input } from '../command.ts'
import { callerOf } from './caller.ts'

/** Each role but DEVELOPER includes VIEWER. */
export const includesRole = (roles: readonly Role[], role: Role): boolean =>
  roles.includes(role) || (role === 'VIEWER' && roles.some((one) => one !== 'DEVELOPER'))

/** A developer who is limited to no platform may use none of them, not all (OPER-105). */
const rolesOf = ({ roles, platforms }: Caller): readonly Role[] =>
  platforms ? roles : roles.filter((role) => role !== 'DEVELOPER')

const hasOne = (caller: Caller, roles: readonly Role[]): boolean =>
  roles.length === 0 || roles.some((role) => includesRole(rolesOf(caller), role))

const isNarrowedAway = ({ commands }: Caller, { name }: CommandHead): boolean =>
  commands !== undefined && !commands.includes(name.replaceAll(' ', '.'))

/** Whether to show a form or a link for the command; `mustBeCallable` and `mustBeRunnable` decide when it is run. */
export const mayUse = (caller: Caller, command: CommandHead): boolean =>
  hasOne(caller, command.access.roles) &&
  !isNarrowedAway(caller, command) &&
  !(caller.platforms && command.access.scope === 'installation')

function mustHaveOne(caller: Caller, roles: readonly Role[]): void {
  if (!hasOne(caller, roles)) fail('FORBIDDEN', { requiredRole: roles.join(' or ') })
}

/** Checks that need no input (OPER-4). Fails: FORBIDDEN. */
export function mustBeCallable(caller: Caller, command: CommandHead): void {
  mustHaveOne(caller, command.access.roles)
  if (isNarrowedAway(caller, command)) fail('FORBIDDEN', { command: command.name })
  if (caller.platforms && command.access.scope === 'installation') failScope()
}

/** Checks that depend on the input: options that need further roles, and platforms. Fails: FORBIDDEN, UNAUTHORIZED. */
export async function mustBeRunnable(
  deps: Deps,
  command: CommandHead,
  input: Input,
): Promise<void> {
  const { rolesOfOption = {}, rolesFor, scope, needsFreshSignIn = false } = command.access
  const caller = callerOf(deps)
  const sensitive = Object.entries(rolesOfOption).filter(
    ([option]) => input.flag(option) || input.options(option).length > 0,
  )
  for (const [, roles] of sensitive) mustHaveOne(caller, roles)
  if (needsFreshSignIn || sensitive.length > 0) mustBeFresh(caller, deps)
  const isOverAll = scope !== undefined && input.option('platform') === undefined
  if (caller.platforms && isOverAll) failScope()
  if (caller.platforms) mustNameOwn(caller.platforms, input.options('platform'))
  if (rolesFor) mustHaveOne(caller, await rolesFor(deps, input))
}

const FRESH_MS = 15 * MINUTE_MS

/** Sensitive commands need a recent sign-in, not just an open session (OPER-36). Fails: UNAUTHORIZED. */
export function mustBeFresh({ signedInAt }: Caller, { clock }: Pick<Deps, 'clock'>): void {
  if (signedInAt && signedInAt <= addMs(clock.now(), -FRESH_MS))
    fail('UNAUTHORIZED', { reason: SIGN_IN_AGAIN })
}

export const SIGN_IN_AGAIN = 'SIGN_IN_AGAIN'

/** A platform outside the operator's own looks like one that does not exist. */
function mustNameOwn(own: readonly Id<'platform'>[], named: readonly string[]): void {
  const known = own.map((id) => formatId('platform', id))
  if (named.some((text) => !known.includes(text))) fail('REFERENCE_NOT_FOUND')
}

/** The command concerns more than the operator's platforms (OPER-3). */
export const failScope = (): never => fail('FORBIDDEN', { reason: 'PLATFORM_SCOPE' })
