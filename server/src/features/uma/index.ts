export { APPROVAL_QUESTION, IncomingPaymentDataSchema } from './approval/question.ts'
export { decideUmaPayment, settleUmaPayout } from './approval/decide-approval.ts'
export { listDepositAccounts } from './receiver/deposit-accounts.ts'
export { findReceiver } from './receiver/find-receiver.ts'
export type { Receiver } from './receiver/find-receiver.ts'
export { jobs } from './jobs.ts'
export { listAllowedProviders } from './providers/list-uma-providers.ts'
export { isInvoiceTaken } from './incoming/invoice-store.ts'
export { insertPayerData, sealPayerData } from './incoming/payer-data-store.ts'
export type { PayerData } from './incoming/payer-data-store.ts'
export { domainToWire } from './providers/domain.ts'
export type { Directory } from './providers/domain.ts'
export { receivePayment } from './incoming/receive-payment.ts'
export { routes } from './routes.ts'
export { findSandboxSender, magicAddresses } from './receiver/sandbox-directory.ts'
export type { RequestedField } from './receiver/sandbox-directory.ts'
export {
  formatUmaAddress,
  mustParseUmaAddress,
  parseUmaAddress,
  platformAddress,
} from './receiver/address.ts'
export type { UmaAddress } from './receiver/address.ts'
export { saysSomething } from './receiver/says-something.ts'
export type { UmaProviderBody } from './schema.ts'
export {
  listProviders,
  lockProvider,
  removeProvider,
  saveProvider,
  type UmaProvider,
} from './providers/store.ts'
