import { invariant } from '../../../kernel/invariant.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import {
  draftFunding,
  type FundingAddress,
  type FundingDraft,
  type FundingRequest,
  type FundingService,
} from './instructions.ts'
import { findTakenAddresses } from './store.ts'

/** Short numbers collide now and then, but never this often in a row. */
const ATTEMPTS_MAX = 20

const nameOf = ({ field, value }: Pick<FundingAddress, 'field' | 'value'>): string =>
  `${field} ${value}`

/**
 * Drafts sandbox funding instructions with unused numbers, addresses and references (IACC-9), one draft for each request,
 * in order. An owner whose value is taken gets another draft. The caller stores the addresses; of two transactions that
 * claim one value at once, the unique index lets one through.
 */
export async function claimFunding(
  { tx, settings: service }: Readonly<{ tx: Tx; settings: FundingService }>,
  requests: readonly FundingRequest[],
): Promise<readonly FundingDraft[]> {
  const drafts: FundingDraft[] = []
  const claimed = new Set<string>()
  let open = requests.map((request, index) => ({ request, index }))
  for (let attempt = 0; open.length > 0; attempt += 1) {
    invariant(attempt < ATTEMPTS_MAX, 'A free number is found within a few attempts.')
    const made = open.map((one) => ({
      ...one,
      draft: draftFunding(one.request, { attempt, service }),
    }))
    const addresses = made.flatMap(({ draft }) => draft.addresses)
    const taken = new Set((await findTakenAddresses(tx, addresses)).map(nameOf))
    open = []
    for (const { request, index, draft } of made) {
      const names = draft.addresses.map(nameOf)
      if (names.some((name) => taken.has(name) || claimed.has(name))) {
        open.push({ request, index })
      } else {
        names.forEach((name) => claimed.add(name))
        drafts[index] = draft
      }
    }
  }
  return drafts
}
