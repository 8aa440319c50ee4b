import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { PlatformKind } from '../../kernel/platform.ts'
import { amountFromWire, amountToWire } from '../../kernel/money/wire-money.ts'
import type { ConfigUpdate } from './change-config.ts'
import type { Branding, CurrencyConfig, FeeConfig, PlatformConfig } from './config.ts'
import { logoOf, type LogoName } from './logo.ts'
import { providerRequirementsOf } from './provider-requirements.ts'
import type { PlatformConfigBody, PlatformConfigUpdateBody } from './schema.ts'

type Shown = Readonly<{ kind: PlatformKind; publicUrl: string }>

export function configToWire(
  config: PlatformConfig,
  { kind, publicUrl }: Shown,
): PlatformConfigBody {
  const { webhookEndpoint, embeddedWallet, cardTokenization2fa, branding } = config
  return {
    id: formatId('platformConfig', config.id),
    umaDomain: config.umaDomain,
    proxyUmaSubdomain: config.proxyUmaSubdomain,
    ...(webhookEndpoint !== undefined && { webhookEndpoint }),
    supportedCurrencies: config.currencies.map(currencyToWire),
    isRegulatedFinancialInstitution: kind === 'REGULATED',
    ...(embeddedWallet && { embeddedWalletConfig: embeddedWallet }),
    ...(cardTokenization2fa && { cardTokenization2faConfig: cardTokenization2fa }),
    feeConfigs: config.feeConfigs.map(feeToWire),
    ...(branding && { branding: brandingToWire(branding, publicUrl) }),
    createdAt: toWireTime(config.createdAt),
    updatedAt: toWireTime(config.updatedAt),
  }
}

/** The path of a logo, below the address of the service. */
export const logoPath = ({ digest }: LogoName): string => `logos/${digest}`

const brandingToWire = ({ logo, ...rest }: Branding, publicUrl: string) => ({
  ...rest,
  ...(logo && { logoUrl: `${publicUrl}/${logoPath(logo)}` }),
})

type WireCurrency = PlatformConfigBody['supportedCurrencies'][number]
type WireFee = PlatformConfigBody['feeConfigs'][number]

function currencyToWire(entry: CurrencyConfig): WireCurrency {
  const { customer, counterparty } = providerRequirementsOf(entry.currency)
  return {
    currencyCode: entry.currency,
    minAmount: amountToWire(entry.minAmount),
    maxAmount: amountToWire(entry.maxAmount),
    requiredCounterpartyFields: [...entry.requiredCounterpartyFields],
    providerRequiredCustomerFields: [...customer],
    ...(counterparty.length > 0 && {
      providerRequiredCounterpartyCustomerFields: [...counterparty],
    }),
    enabledTransactionTypes: [...entry.enabledTransactionTypes],
  }
}

function feeToWire({
  feeType,
  sourceCurrency,
  variableFeeBps,
  fixedFeeAmount,
}: FeeConfig): WireFee {
  const fixedFee = { amount: amountToWire(fixedFeeAmount), currency: sourceCurrency }
  return { feeType, sourceCurrency, variableFeeBps, fixedFee }
}

export function configUpdateFromWire(body: PlatformConfigUpdateBody): ConfigUpdate {
  return {
    umaDomain: body.umaDomain,
    webhookEndpoint: body.webhookEndpoint,
    currencies: body.supportedCurrencies?.map(currencyFromWire),
    embeddedWallet: body.embeddedWalletConfig,
    cardTokenization2fa: body.cardTokenization2faConfig,
    feeConfigs: body.feeConfigs?.map(feeFromWire),
    branding: brandingFromWire(body.branding),
  }
}

/** Drops read-only fields (CFG-5) and repeated transaction types (CFG-9). */
function currencyFromWire(entry: WireCurrency): CurrencyConfig {
  return {
    currency: entry.currencyCode,
    minAmount: amountFromWire(entry.minAmount),
    maxAmount: amountFromWire(entry.maxAmount),
    requiredCounterpartyFields: entry.requiredCounterpartyFields.map(({ name, mandatory }) => ({
      name,
      mandatory,
    })),
    enabledTransactionTypes: [...new Set(entry.enabledTransactionTypes)],
  }
}

function feeFromWire({ feeType, sourceCurrency, variableFeeBps, fixedFee }: WireFee): FeeConfig {
  return {
    feeType,
    sourceCurrency,
    variableFeeBps,
    fixedFeeAmount: amountFromWire(fixedFee.amount),
  }
}

function brandingFromWire(
  branding: PlatformConfigUpdateBody['branding'],
): ConfigUpdate['branding'] {
  if (!branding) return branding
  const { logo, ...rest } = branding
  return { ...rest, logo: typeof logo === 'string' ? logoOf(logo) : logo }
}
