import type { Deps } from '../../../src/infra/deps.ts'
import { createGuardedFetch, type GuardedFetch } from '../../../src/infra/outbound/ssrf.ts'
import type { Clock } from '../../../src/kernel/clock.ts'

/** Time that runs so many times as fast as the machine's, equal in every process that is given the same beginning. */
export type Pace = Readonly<{ factor: number; sinceMs: number }>

export const paceToEnv = ({ factor, sinceMs }: Pace) => ({ PACE: `${factor}@${sinceMs}` })

export function paceFromEnv({ PACE = '1@0' }: Readonly<Record<string, string | undefined>>): Pace {
  const [factor, sinceMs] = PACE.split('@').map(Number)
  return { factor: factor ?? 1, sinceMs: sinceMs ?? 0 }
}

export const pacedClock = ({ factor, sinceMs }: Pace): Clock => ({
  now: () => new Date(sinceMs + (Date.now() - sinceMs) * factor),
})

/** The service's own way to the outside; as its clock runs faster, it loses its patience sooner. */
export function pacedOutgoing({ factor }: Pace): Deps['outgoing'] {
  const paced = (): GuardedFetch => {
    const guarded = createGuardedFetch({ allowLoopback: true })
    return {
      fetch: (request) => guarded.fetch({ ...request, timeoutMs: request.timeoutMs / factor }),
      close: () => guarded.close(),
    }
  }
  return { SANDBOX: paced(), PRODUCTION: paced() }
}
