export { APPROVAL_QUESTION, IncomingPaymentDataSchema } from './approval-question.ts'
export { decideUmaPayment, settleUmaPayout } from './decide-approval.ts'
export { listDepositAccounts } from './deposit-accounts.ts'
export { findReceiver } from './find-receiver.ts'
export type { Receiver } from './find-receiver.ts'
export { jobs } from './jobs.ts'
export { listAllowedProviders } from './list-allowed-providers.ts'
export { insertPayerData, sealPayerData } from './payer-data-store.ts'
export type { PayerData } from './payer-data-store.ts'
export { domainToWire } from './provider-domain.ts'
export type { Directory } from './provider-domain.ts'
export { receivePayment } from './receive-payment.ts'
export { routes } from './routes.ts'
export { findSandboxSender } from './sandbox-directory.ts'
export type { AskedField } from './sandbox-directory.ts'
export {
  formatUmaAddress,
  mustParseUmaAddress,
  parseUmaAddress,
  platformAddress,
} from './uma-address.ts'
export type { UmaAddress } from './uma-address.ts'
export type { UmaProviderBody } from './schema.ts'
export { listProviders, removeProvider, saveProvider, type UmaProvider } from './store.ts'
