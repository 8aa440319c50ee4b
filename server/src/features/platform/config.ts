import type { Id } from '../../kernel/ids.ts'
import { AMOUNT_MAX } from '../../kernel/money/money.ts'
import type { LogoName } from './logo.ts'
import type { CustomerInfoFieldName } from './provider-requirements.ts'
import type {
  CardTokenization2faConfig,
  EmbeddedWalletConfig,
  FeeType,
  TransactionType,
} from './schema.ts'

/** The only currency of platform fees (CFG-18). */
export const FEE_CURRENCY = 'USD'

export type CounterpartyField = Readonly<{ name: CustomerInfoFieldName; mandatory: boolean }>

export type CurrencyConfig = Readonly<{
  currency: string
  minAmount: bigint
  maxAmount: bigint
  requiredCounterpartyFields: readonly CounterpartyField[]
  enabledTransactionTypes: readonly TransactionType[]
}>

/** A platform's own fee, on top of the service's. */
export type FeeConfig = Readonly<{
  feeType: FeeType
  sourceCurrency: string
  variableFeeBps: number
  fixedFeeAmount: bigint
}>

/** How hosted pages look for the platform (OPER-194). */
export type Branding = Readonly<{ name?: string; color?: string; logo?: LogoName }>

export type PlatformConfig = Readonly<{
  id: Id<'platformConfig'>
  umaDomain: string
  proxyUmaSubdomain: string
  webhookEndpoint: string | undefined
  /** In the order of the platform's list. */
  currencies: readonly CurrencyConfig[]
  embeddedWallet: EmbeddedWalletConfig | undefined
  cardTokenization2fa: CardTokenization2faConfig | undefined
  feeConfigs: readonly FeeConfig[]
  branding: Branding | undefined
  createdAt: Date
  updatedAt: Date
}>

/** The first configuration of a currency (CFG-2). */
export function newCurrencyConfig(currency: string): CurrencyConfig {
  return {
    currency,
    minAmount: 1n,
    maxAmount: AMOUNT_MAX,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING', 'INCOMING'],
  }
}

/** Whether incoming payments in a currency are accepted; unlisted currencies have no restriction (CFG-9, CFG-11). */
export const takesIncoming = (
  { currencies }: Pick<PlatformConfig, 'currencies'>,
  code: string,
): boolean =>
  currencies
    .find(({ currency }) => currency === code)
    ?.enabledTransactionTypes.includes('INCOMING') ?? true
