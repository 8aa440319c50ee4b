/**
 * Screens a bank account and whoever holds it, before money may go there, against what the law says must not be paid.
 * An adapter answers CLEAR or REVIEW; it may be asked again about the same account after a crash.
 */
export type ScreenedAccount = Readonly<{
  /** As on the wire: `ExternalAccount:<uuid>`. */
  id: string
  accountType: string
  currency: string
  accountInfo: Readonly<Record<string, unknown>>
}>

export type ScreeningResult = 'CLEAR' | 'REVIEW'

export type AccountScreening = Readonly<{
  screen(account: ScreenedAccount): Promise<ScreeningResult>
}>

/** Clears nothing by itself: every account is put before the operator, who sets its status by hand. */
export const manualScreening: AccountScreening = { screen: async () => 'REVIEW' }
