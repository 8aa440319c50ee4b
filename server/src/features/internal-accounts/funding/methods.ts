// data table
/**
 * How an account in each currency is funded, in the order shown (chapter 30, section 6). The values are the sandbox's:
 * valid in form and check digits, made from the owner's id, and without a real account behind them.
 */
import {
  SANDBOX_ROUTING_NUMBER,
  SORT_CODE,
  bicOf,
  cbuOf,
  clabeOf,
  ibanOf,
} from './sandbox-values/bank-identifiers.ts'
import { lightningInvoiceOf } from './sandbox-values/lightning-invoice.ts'
import { pixCodeOf } from './sandbox-values/pix-code.ts'
import { decimalDigits, digitsIn, type Seed } from './sandbox-values/seed.ts'
import {
  bitcoinAddressOf,
  evmAddressOf,
  solanaAddressOf,
  sparkWalletOf,
  tronAddressOf,
} from './sandbox-values/wallet-addresses.ts'

export type Draft = Readonly<{ seed: Seed; reference: string; createdAt: Date; publicUrl: string }>

type Fields = Readonly<Record<string, string>>

export type FundingMethod = Readonly<{
  accountType: string
  /** Fiat: the rails that reach the account, the default first; not every answer lists them. */
  rails?: readonly string[]
  hidesRails?: boolean
  hasReference?: boolean
  /** Wallets: the coin and the network it comes over. */
  asset?: string
  network?: string
  notes?: string
  fields(draft: Draft): Fields
}>

const digits = ({ seed }: Draft, label: string, length: number): string =>
  decimalDigits(seed(label), length)

const accountNumber =
  (length: number) =>
  (draft: Draft): Fields => ({ accountNumber: digits(draft, 'accountNumber', length) })

type Bank = Omit<FundingMethod, 'accountType' | 'rails'> & { rails?: readonly string[] }

const bank = (currency: string, method: Bank): readonly FundingMethod[] => [
  { accountType: `${currency}_ACCOUNT`, rails: ['BANK_TRANSFER'], hasReference: true, ...method },
]

const bankByBic = (
  currency: string,
  { country, rails = ['BANK_TRANSFER'] }: { country: string; rails?: readonly string[] },
): readonly FundingMethod[] =>
  bank(currency, {
    rails,
    fields: (draft) => ({ ...accountNumber(12)(draft), swiftCode: bicOf(country) }),
  })

/** A national number of `length` digits with the operator's prefix. */
const mobile = (
  currency: string,
  { calling, length, more = {} }: { calling: string; length: number; more?: Fields },
): readonly FundingMethod[] =>
  bank(currency, {
    rails: ['MOBILE_MONEY'],
    fields: (draft) => ({
      phoneNumber: `+${calling}7${digits(draft, 'phoneNumber', length - 1)}`,
      ...more,
    }),
  })

const spark = (asset: string): FundingMethod => ({
  accountType: 'SPARK_WALLET',
  asset,
  network: 'SPARK',
  fields: ({ seed }) => sparkWalletOf(seed('spark'), { asset }),
})

const wallet = (
  network: string,
  { asset, addressOf }: { asset: string; addressOf: (bytes: Uint8Array) => string },
): FundingMethod => ({
  accountType: `${network}_WALLET`,
  asset,
  network,
  fields: ({ seed }) => ({ address: addressOf(seed(network)) }),
})

const solana = (asset: string) => wallet('SOLANA', { asset, addressOf: solanaAddressOf })
const evm = (network: string, asset: string) => wallet(network, { asset, addressOf: evmAddressOf })

const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz0123456789'

const SEPA = ['SEPA_INSTANT', 'SEPA']

export const FUNDING_METHODS: Readonly<Record<string, readonly FundingMethod[]>> = {
  USD: [
    {
      accountType: 'US_ACCOUNT',
      rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
      hasReference: true,
      notes: 'Put the reference into the payment, so that it is recognised.',
      fields: (draft) => ({ ...accountNumber(10)(draft), routingNumber: SANDBOX_ROUTING_NUMBER }),
    },
    spark('USDB'),
    solana('USDC'),
  ],
  EUR: bank('EUR', {
    rails: SEPA,
    fields: ({ seed }) => ({
      iban: ibanOf(seed('iban'), { country: 'LT', bank: '39990', accountLength: 11 }),
      swiftCode: bicOf('LT'),
    }),
  }),
  DKK: bank('DKK', {
    rails: SEPA,
    fields: ({ seed }) => ({
      iban: ibanOf(seed('iban'), { country: 'DK', bank: '9999', accountLength: 10 }),
      swiftCode: bicOf('DK'),
    }),
  }),
  GBP: bank('GBP', {
    rails: ['FASTER_PAYMENTS'],
    fields: (draft) => ({ sortCode: SORT_CODE, ...accountNumber(8)(draft) }),
  }),
  MXN: bank('MXN', {
    rails: ['SPEI'],
    fields: ({ seed }) => ({ clabeNumber: clabeOf(seed('clabeNumber')) }),
  }),
  BRL: bank('BRL', {
    rails: ['PIX'],
    hidesRails: true,
    hasReference: false,
    fields: ({ seed }) => ({ qrCode: pixCodeOf(seed('qrCode')) }),
  }),
  INR: bank('INR', {
    rails: ['UPI'],
    hasReference: false,
    fields: ({ seed }) => ({
      vpa: `fund.${digitsIn(seed('vpa'), { alphabet: LOWER_CASE, length: 14 })}@florinsandbox`,
    }),
  }),
  COP: bank('COP', {
    rails: ['ACH_COLOMBIA'],
    hidesRails: true,
    hasReference: false,
    fields: ({ publicUrl, reference }) => ({ paymentUrl: `${publicUrl}/pay/${reference}` }),
  }),
  ARS: bank('ARS', {
    hidesRails: true,
    hasReference: false,
    fields: ({ seed }) => ({ accountNumber: cbuOf(seed('accountNumber')) }),
  }),
  NGN: bank('NGN', { fields: accountNumber(10) }),
  CAD: bank('CAD', {
    fields: (draft) => ({ bankCode: '999', branchCode: '00001', ...accountNumber(12)(draft) }),
  }),
  HKD: bankByBic('HKD', { country: 'HK' }),
  IDR: bank('IDR', {
    fields: (draft) => ({
      ...accountNumber(12)(draft),
      swiftCode: bicOf('ID'),
      phoneNumber: `+62${digits(draft, 'phoneNumber', 11)}`,
    }),
  }),
  MYR: bankByBic('MYR', { country: 'MY' }),
  PHP: bank('PHP', { fields: accountNumber(12) }),
  SGD: bankByBic('SGD', { country: 'SG', rails: ['FAST', 'PAYNOW', 'BANK_TRANSFER'] }),
  THB: bankByBic('THB', { country: 'TH' }),
  VND: bankByBic('VND', { country: 'VN' }),
  AED: bank('AED', {
    fields: ({ seed }) => ({
      iban: ibanOf(seed('iban'), { country: 'AE', bank: '999', accountLength: 16 }),
      swiftCode: bicOf('AE'),
    }),
  }),
  KES: mobile('KES', { calling: '254', length: 9, more: { provider: 'M-PESA' } }),
  TZS: mobile('TZS', { calling: '255', length: 9, more: { provider: 'VODACOM' } }),
  ZMW: mobile('ZMW', { calling: '260', length: 9, more: { provider: 'MTN' } }),
  RWF: mobile('RWF', { calling: '250', length: 9, more: { provider: 'MTN' } }),
  MWK: mobile('MWK', { calling: '265', length: 9, more: { provider: 'AIRTEL' } }),
  UGX: mobile('UGX', { calling: '256', length: 9, more: { provider: 'MTN' } }),
  BWP: mobile('BWP', { calling: '267', length: 8, more: { provider: 'ORANGE' } }),
  XOF: mobile('XOF', { calling: '221', length: 9, more: { provider: 'ORANGE', region: 'SN' } }),
  XAF: mobile('XAF', { calling: '237', length: 9, more: { provider: 'MTN', region: 'CM' } }),
  HTG: mobile('HTG', { calling: '509', length: 8 }),
  ZAR: bank('ZAR', { fields: accountNumber(11) }),
  BDT: bank('BDT', { fields: accountNumber(13) }),
  EGP: bank('EGP', {
    fields: ({ seed }) => ({
      iban: ibanOf(seed('iban'), { country: 'EG', bank: '99990001', accountLength: 17 }),
    }),
  }),
  GHS: bank('GHS', { fields: accountNumber(13) }),
  GTQ: bank('GTQ', {
    fields: (draft) => ({ ...accountNumber(12)(draft), bankAccountType: 'CHECKING' }),
  }),
  JMD: bank('JMD', {
    fields: (draft) => ({
      ...accountNumber(12)(draft),
      branchCode: '00001',
      bankAccountType: 'CHECKING',
    }),
  }),
  PKR: bank('PKR', {
    fields: (draft) => ({
      ...accountNumber(16)(draft),
      iban: ibanOf(draft.seed('accountNumber'), { country: 'PK', bank: 'FLRN', accountLength: 16 }),
    }),
  }),
  CNY: bank('CNY', { fields: accountNumber(16) }),
  USDC: [solana('USDC'), evm('BASE', 'USDC'), evm('POLYGON', 'USDC'), evm('ETHEREUM', 'USDC')],
  USDT: [
    wallet('TRON', { asset: 'USDT', addressOf: tronAddressOf }),
    evm('ETHEREUM', 'USDT'),
    evm('PLASMA', 'USDT'),
    solana('USDT'),
  ],
  USDB: [spark('USDB')],
  BTC: [
    spark('BTC'),
    {
      accountType: 'LIGHTNING',
      network: 'LIGHTNING',
      fields: ({ seed, createdAt }) => ({
        invoice: lightningInvoiceOf(seed('lightning'), { createdAt }),
      }),
    },
    {
      accountType: 'BITCOIN_L1',
      network: 'BITCOIN',
      fields: ({ seed }) => ({ address: bitcoinAddressOf(seed('bitcoin')), network: 'BITCOIN' }),
    },
  ],
}

/** A fiat currency without a national scheme is received from abroad. */
export const FUNDING_FROM_ABROAD: readonly FundingMethod[] = bank('SWIFT', {
  rails: ['SWIFT'],
  fields: (draft) => ({ country: 'LT', swiftCode: bicOf('LT'), ...accountNumber(14)(draft) }),
})
