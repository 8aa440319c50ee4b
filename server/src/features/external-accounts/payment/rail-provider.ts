import type { Ports, Provider } from '../../../kernel/ports.ts'
import type { PaymentAccount } from '../external-account.ts'

/** The provider that pays to an account, and pulls from it, by its default rail. */
export const railProviderOf = (
  { ports }: Readonly<{ ports: Ports }>,
  {
    accountType,
    currency,
    paymentRails: [rail],
  }: Pick<PaymentAccount, 'accountType' | 'currency' | 'paymentRails'>,
): Provider | undefined => ports.providerOf({ port: 'rails', rail, currency, accountType })
