import { ApiError, fail } from '../../../kernel/errors.ts'
import type { Deps } from '../../../infra/deps.ts'
import { audit } from '../../../infra/work/audit.ts'
import { inServiceWork, recordSecurityEvent } from '../../../infra/work/security-event.ts'
import { startSession } from '../dashboard-access.ts'
import { admit, type Admitted } from './admit.ts'
import type { OidcClient } from './issuer.ts'
import { proveIdentity, type ProvenIdentity, type Returned } from './prove-identity.ts'

export type SignedIn = Readonly<{ session: string; name: string }>
export type RefusedSignIn = Readonly<{ status: 401 | 403; reason: string }>

type Callback = Readonly<{
  returned: Returned
  /** Where the browser is. */
  address: string
  /** May fail, so that not every guess is audited. */
  beforeRefusal(): Promise<void>
}>

/** Answers the secret of a session, or why there is none; either leaves an audit entry. */
export async function finishOidcSignIn(
  deps: Deps,
  client: OidcClient,
  { returned, address, beforeRefusal }: Callback,
): Promise<SignedIn | RefusedSignIn> {
  try {
    return await enter(deps, await proveIdentity(deps, client, returned))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await beforeRefusal()
    const refused = refusalIn(error)
    const { operatorId: resource = client.issuer, subject } = error.details ?? {}
    const who = subject === undefined ? '' : `, subject ${String(subject)}`
    const note = `${refused.reason}${who}, from ${address}`
    await recordSecurityEvent(deps, {
      action: 'dashboard sign-in refused',
      resource: String(resource),
      note,
    })
    return refused
  }
}

/** Nobody is known while the identity is not proven, and nobody is let in without a role. */
function refusalIn({ code, details, because = code }: ApiError): RefusedSignIn {
  const reason = String(details?.['reason'] ?? because)
  return { status: code === 'FORBIDDEN' || code === 'CONFLICT' ? 403 : 401, reason }
}

/** Fails: FORBIDDEN, after what was done to the operator is committed, and CONFLICT. */
async function enter(deps: Deps, identity: ProvenIdentity): Promise<SignedIn> {
  const entered = await inServiceWork(deps, async (work) => {
    const admission = await admit(work, identity, deps.settings.operatorOidcRoles)
    if ('refusal' in admission) return admission
    const { id: operatorId, name } = admission.operator
    const signedInAt = identity.provenAt
    const session = await startSession(work, { name, operatorId, signedInAt })
    const as = { ...work, actor: { kind: 'operator', name } as const }
    audit(as, { action: 'dashboard sign-in', resource: name, note: noteOf(admission) })
    return { session, name }
  })
  if ('session' in entered) return entered
  const { refusal: reason, operatorId } = entered
  const { subject } = identity
  return fail('FORBIDDEN', { reason, subject, ...(operatorId && { operatorId }) })
}

/** How the groups changed the roles (OPER-56). */
function noteOf({ operator, before }: Admitted): string | undefined {
  const [from, to] = [before?.roles.join(','), operator.roles.join(',')]
  if (from === undefined) return `new operator: ${to}`
  return from === to ? undefined : `${from} → ${to}`
}
