/**
 * Screens a bank account and its holder against sanctions lists before money may go there.
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

/** Every account is reviewed by the operator, who sets its status by hand. */
export const manualScreening: AccountScreening = { screen: async () => 'REVIEW' }
