import { toWireTime } from '../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Work } from '../../infra/work.ts'
import {
  accountToWire,
  decideOwnership,
  findPlatformOfAccount,
  listOwnershipReviews,
  SETTABLE_STATUSES,
  setAccountStatus,
  type ExternalAccount,
  type OwnershipReview,
} from '../../features/external-accounts/index.ts'
import { onlyWord, UsageError, type Command } from '../command.ts'
import { inPlatform } from '../in-platform.ts'

type Change = (work: Work, id: Id<'externalAccount'>) => Promise<ExternalAccount>

/** Changes an account that is named without its platform, and shows it as the API would. */
async function change(
  deps: Deps,
  { action, resource }: { action: string; resource: string },
  body: Change,
) {
  const id = mustParseId('externalAccount', resource)
  const owner = await findPlatformOfAccount(deps.db.read, id)
  const platformId = formatId('platform', owner ?? failNotFound('externalAccount'))
  const account = await inPlatform(deps, { platformId, action, resource }, (work) => body(work, id))
  return accountToWire(account)
}

const setStatus: Command = {
  name: 'external-accounts set-status',
  about: `Set the status of an external account: ${SETTABLE_STATUSES.join(', ')}.`,
  takes: ['externalAccountId', 'status'],
  run(deps, { words: [resource = '', given] }) {
    const status = SETTABLE_STATUSES.find((one) => one === given)
    if (!status) throw new UsageError(`The status is one of ${SETTABLE_STATUSES.join(', ')}.`)
    const action = 'external-accounts set-status'
    return change(deps, { action, resource }, (work, id) => setAccountStatus(work, { id, status }))
  },
}

const toShown = (review: OwnershipReview) => ({
  platformId: formatId('platform', review.platformId),
  environment: review.environment,
  externalAccountId: formatId('externalAccount', review.externalAccountId),
  ...(review.customerId && { customerId: formatId('customer', review.customerId) }),
  accountType: review.accountType,
  askedAt: toWireTime(review.createdAt),
  expiresAt: toWireTime(review.expiresAt),
  ...(review.submittedAt && { submittedAt: toWireTime(review.submittedAt) }),
})

const list: Command = {
  name: 'ownership list',
  about: 'Liveness checks that wait for a decision, oldest first.',
  run: async ({ db, clock }) => (await listOwnershipReviews(db.read, clock.now())).map(toShown),
}

const decision = (verb: 'approve' | 'reject', about: string): Command => ({
  name: `ownership ${verb}`,
  about,
  takes: ['externalAccountId'],
  run: (deps, given) =>
    change(
      deps,
      { action: `ownership ${verb}`, resource: onlyWord(given, 'externalAccountId') },
      (work, id) => decideOwnership(work, { id, isApproved: verb === 'approve' }),
    ),
})

export const externalAccountCommands: readonly Command[] = [
  setStatus,
  list,
  decision('approve', 'Confirm that a wallet is its holder’s.'),
  decision('reject', 'Refuse a liveness check; the account becomes UNVERIFIED.'),
]
