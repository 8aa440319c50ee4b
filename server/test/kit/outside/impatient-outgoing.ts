import type { Deps } from '../../../src/infra/deps.ts'
import {
  createGuardedFetch,
  type GuardedFetch,
  type OutgoingRequest,
} from '../../../src/infra/outbound/ssrf.ts'

/** The service's own way to the outside, except that nobody waits half a minute; and what was asked of it. */
export function impatientOutgoing(patienceMs: number) {
  const requests: OutgoingRequest[] = []
  let timeoutMs = patienceMs
  const impatient = (allowLoopback: boolean): GuardedFetch => {
    const guarded = createGuardedFetch({ allowLoopback })
    return {
      fetch(request) {
        requests.push(request)
        return guarded.fetch({ ...request, timeoutMs: Math.min(request.timeoutMs, timeoutMs) })
      },
      close: () => guarded.close(),
    }
  }
  const outgoing: Deps['outgoing'] = { SANDBOX: impatient(true), PRODUCTION: impatient(false) }
  return {
    outgoing,
    requests,
    /** For what is called from now on. */
    wait(ms: number) {
      timeoutMs = ms
    },
  }
}
