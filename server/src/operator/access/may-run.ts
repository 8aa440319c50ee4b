import type { Caller, Role } from '../../kernel/access/operator.ts'
import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { CommandHead, Given } from '../command.ts'
import { callerOf } from './caller.ts'

/** Each role but DEVELOPER includes VIEWER. */
export const includesRole = (roles: readonly Role[], role: Role): boolean =>
  roles.includes(role) || (role === 'VIEWER' && roles.some((one) => one !== 'DEVELOPER'))

/** A developer without platforms has nothing to work for, rather than all of them (OPER-105). */
const rolesOf = ({ roles, platforms }: Caller): readonly Role[] =>
  platforms ? roles : roles.filter((role) => role !== 'DEVELOPER')

const hasOne = (caller: Caller, roles: readonly Role[]): boolean =>
  roles.length === 0 || roles.some((role) => includesRole(rolesOf(caller), role))

const isNarrowedAway = ({ commands }: Caller, { name }: CommandHead): boolean =>
  commands !== undefined && !commands.includes(name.replaceAll(' ', '.'))

/** Whether a form or a link for the command is worth showing; `mayRun` decides. */
export const mayUse = (caller: Caller, command: CommandHead): boolean =>
  hasOne(caller, command.access.roles) &&
  !isNarrowedAway(caller, command) &&
  !(caller.platforms && command.access.scope === 'installation')

function mustHaveOne(caller: Caller, roles: readonly Role[]): void {
  if (!hasOne(caller, roles)) fail('FORBIDDEN', { requiredRole: roles.join(' or ') })
}

/** What is known before the input is looked at (OPER-4). */
export function mayCall(caller: Caller, command: CommandHead): void {
  mustHaveOne(caller, command.access.roles)
  if (isNarrowedAway(caller, command)) fail('FORBIDDEN', { command: command.name })
  if (caller.platforms && command.access.scope === 'installation') failScope()
}

/** What depends on the input: options that need more, and what it names. */
export async function mayRun(deps: Deps, command: CommandHead, given: Given): Promise<void> {
  const { rolesOfOption = {}, rolesFor, scope, needsFreshSignIn = false } = command.access
  const caller = callerOf(deps)
  const sensitive = Object.entries(rolesOfOption).filter(
    ([option]) => given.flag(option) || given.texts(option).length > 0,
  )
  for (const [, roles] of sensitive) mustHaveOne(caller, roles)
  if (needsFreshSignIn || sensitive.length > 0) mustBeFresh(caller, deps)
  const isOverAll = scope !== undefined && given.text('platform') === undefined
  if (caller.platforms && isOverAll) failScope()
  if (caller.platforms) mustNameOwn(caller.platforms, given.texts('platform'))
  if (rolesFor) mustHaveOne(caller, await rolesFor(deps, given))
}

const FRESH_MS = 15 * MINUTE_MS

/** A session that was left open is not enough for what matters most (OPER-36). */
export function mustBeFresh({ signedInAt }: Caller, { clock }: Pick<Deps, 'clock'>): void {
  if (signedInAt && signedInAt <= addMs(clock.now(), -FRESH_MS))
    fail('UNAUTHORIZED', { reason: SIGN_IN_AGAIN })
}

export const SIGN_IN_AGAIN = 'SIGN_IN_AGAIN'

/** Any other platform is as unknown as one that there is not. */
function mustNameOwn(own: readonly Id<'platform'>[], named: readonly string[]): void {
  const known = own.map((id) => formatId('platform', id))
  if (named.some((text) => !known.includes(text))) fail('REFERENCE_NOT_FOUND')
}

/** It concerns more than the platforms of the operator (OPER-3). */
export const failScope = (): never => fail('FORBIDDEN', { reason: 'PLATFORM_SCOPE' })
