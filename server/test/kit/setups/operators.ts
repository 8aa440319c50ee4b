import type { Caller } from '../../../src/kernel/access/operator.ts'
import { findSession, signIn } from '../../../src/operator/sign-in/dashboard-access.ts'
import { text } from '../api.ts'
import type { Kit } from '../florin.ts'
import { asCaller, operate } from '../operator.ts'

export type Person<K> = Readonly<{
  /** The service, for commands that this operator runs. */
  kit: K
  operatorId: string
  name: string
  /** What the cookie of their session holds. */
  session: string
  caller: Caller
}>

/** Invites an operator, who then signs in by the link. */
export async function invited<K extends Pick<Kit, 'florin'>>(
  kit: K,
  name: string,
  roles: string,
  ...more: readonly string[]
): Promise<Person<K>> {
  const line = `operators invite --email ${name.toLowerCase()}@example.com --roles ${roles}`
  const operator = await operate(kit, line, '--name', name, ...more)
  const { deps } = kit.florin
  const session = await signIn(deps, text(operator['url']).split('/').at(-1) ?? '')
  const caller = (await findSession(deps, session))?.caller
  if (!caller) throw new Error(`${name} is not signed in`)
  return {
    kit: asCaller(kit, caller),
    operatorId: text(operator['operatorId']),
    name,
    session,
    caller,
  }
}
