/**
 * What a card purchase must show and leave on its account, after chapter 40's tables and without a look at the
 * service's own arithmetic. Each function plays one event on the model.
 */
export type ModelAccount = { id: string; available: number; held: number }

export type Kind =
  | 'authorization'
  | 'financial_authorization'
  | 'credit_authorization'
  | 'financial_credit_authorization'

export type Purchase = {
  readonly account: ModelAccount
  readonly isCredit: boolean
  status: string
  authorized: number
  settlements: number[]
  returns: number[]
  pulled: number
  pulls: number
  /** A confirmation still to come, and what of the account is held for it. */
  pending: { readonly fails: boolean; readonly dueAt: number; held: number } | undefined
  /** What the service bears: for clearings, and for returns that were reversed. */
  short: { cleared: number; reversed: number }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0)
export const settledOf = ({ settlements }: Purchase): number => sum(settlements)
export const refundedOf = ({ returns }: Purchase): number => sum(returns)
export const shortOf = ({ short }: Purchase): number => short.cleared + short.reversed
export const isOpen = ({ status }: Purchase): boolean =>
  status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED'

const statusAtEnd = (purchase: Purchase): string =>
  settledOf(purchase) > 0 && refundedOf(purchase) === settledOf(purchase) ? 'REFUNDED' : 'SETTLED'

type Approval = Readonly<{
  account: ModelAccount
  kind: Kind
  amount: number
  /** When and how the confirmation comes, where it does not come at once. */
  later: Readonly<{ fails: boolean; dueAt: number }> | undefined
}>

export function approve({ account, kind, amount, later }: Approval): Purchase {
  const isSingle = kind.startsWith('financial_')
  const isCredit = kind.endsWith('credit_authorization')
  const purchase: Purchase = {
    account,
    isCredit,
    status: isSingle ? 'SETTLED' : 'AUTHORIZED',
    authorized: amount,
    settlements: isSingle ? [amount] : [],
    returns: [],
    pulled: isCredit ? 0 : amount,
    pulls: isCredit ? 0 : 1,
    pending: undefined,
    short: { cleared: 0, reversed: 0 },
  }
  account.available -= purchase.pulled
  if (later && (!isCredit || isSingle || later.fails)) {
    purchase.pending = { ...later, held: purchase.pulled }
    account.held += purchase.pulled
  } else if (isCredit && isSingle) account.available += amount
  return purchase
}

function confirm(purchase: Purchase): void {
  purchase.account.held -= purchase.pending?.held ?? 0
  purchase.pending = undefined
}

export function settlePending(purchase: Purchase): void {
  const { account, isCredit, pending } = purchase
  confirm(purchase)
  if (!pending?.fails) {
    if (isCredit) account.available += settledOf(purchase)
    return
  }
  purchase.status = 'EXCEPTION'
  if (isCredit) return
  account.available += purchase.pulled
  purchase.pulled = 0
  purchase.short.cleared += settledOf(purchase)
}

export function end(purchase: Purchase): void {
  confirm(purchase)
  if (!purchase.isCredit) release(purchase, purchase.pulled - settledOf(purchase))
  purchase.status = statusAtEnd(purchase)
}

function release(purchase: Purchase, amount: number): void {
  purchase.account.available += amount
  purchase.pulled -= amount
}

/** All or nothing, and counted either way. */
function pull(purchase: Purchase, amount: number, canPull: boolean): boolean {
  purchase.pulls += 1
  if (!canPull || amount > purchase.account.available) return false
  release(purchase, -amount)
  return true
}

/** What may be cleared: an open authorization, and any debit that is over (CTXN-4). */
export const isClearable = (purchase: Purchase): boolean => isOpen(purchase) || !purchase.isCredit

export function clear(purchase: Purchase, amount: number, canPull: boolean): void {
  const { account, authorized, isCredit, settlements, status } = purchase
  const wasOpen = isOpen(purchase)
  confirm(purchase)
  settlements.push(amount)
  purchase.status = settledOf(purchase) < authorized ? 'PARTIALLY_SETTLED' : 'SETTLED'
  if (isCredit) {
    account.available += amount
    return
  }
  // Once the authorization is over nothing is reserved: all of the amount is pulled.
  if (!wasOpen) purchase.status = status === 'EXCEPTION' ? 'EXCEPTION' : 'SETTLED'
  const missing = wasOpen ? settledOf(purchase) - purchase.pulled : amount
  if (missing <= 0 || pull(purchase, missing, canPull)) return
  purchase.status = 'EXCEPTION'
  purchase.short.cleared += missing
}

/** A clearing without authorization: what a clearing makes of a purchase of nothing that is over. */
export function forcePost(account: ModelAccount, amount: number, canPull: boolean): Purchase {
  const purchase: Purchase = {
    account,
    isCredit: false,
    status: 'SETTLED',
    authorized: 0,
    settlements: [],
    returns: [],
    pulled: 0,
    pulls: 0,
    pending: undefined,
    short: { cleared: 0, reversed: 0 },
  }
  clear(purchase, amount, canPull)
  return purchase
}

/** Section 4 of chapter 31 for a locked receiving amount in EUR cents: 0.92 a dollar, 50 basis points, rounded up. */
export function priceOfEuros(amount: number): number {
  const need = Math.ceil((amount * 100) / 92)
  let sending = need
  while (sending - Math.ceil((sending * 50) / 10_000) < need) sending += 1
  return sending
}

export function advise(purchase: Purchase, amount: number, canPull: boolean): void {
  const difference = amount - purchase.authorized
  purchase.authorized = amount
  if (!purchase.isCredit) {
    const { pending, pulled } = purchase
    if (difference > 0) pull(purchase, difference, canPull)
    else if (pulled > amount) {
      // What is reserved goes back before what is only held.
      const held = Math.min(pending?.held ?? 0, amount)
      purchase.account.held -= (pending?.held ?? 0) - held
      if (pending) pending.held = held
      release(purchase, pulled - amount)
    }
  }
  if (amount === settledOf(purchase)) purchase.status = statusAtEnd(purchase)
}

export function creditReturn(purchase: Purchase, amount: number): void {
  const { account, short } = purchase
  const forReversed = Math.min(amount, short.reversed)
  const forCleared = Math.min(amount - forReversed, short.cleared)
  short.reversed -= forReversed
  short.cleared -= forCleared
  account.available += amount - forReversed - forCleared
  purchase.returns.push(amount)
  if (purchase.status !== 'PARTIALLY_SETTLED' && shortOf(purchase) === 0) {
    purchase.status = statusAtEnd(purchase)
  }
}

export function reverse(purchase: Purchase): void {
  const { account, short } = purchase
  const amount = purchase.returns.pop() ?? 0
  if (amount > account.available) {
    short.reversed += amount
    purchase.status = 'EXCEPTION'
    return
  }
  account.available -= amount
  purchase.status = 'SETTLED'
}

/** With a clearing among what was borne, all that is cleared and was never pulled is pulled with it. */
export function recover(purchase: Purchase): void {
  const { account, short } = purchase
  account.available -= shortOf(purchase)
  const unpulled = Math.min(settledOf(purchase) - purchase.pulled, shortOf(purchase))
  purchase.pulled += short.cleared > 0 ? unpulled : 0
  purchase.pulls += short.cleared > 0 ? 1 : 0
  purchase.short = { cleared: 0, reversed: 0 }
  purchase.status = statusAtEnd(purchase)
}
