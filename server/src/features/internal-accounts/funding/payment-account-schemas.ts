// data table
/** The variants of `accountOrWalletInfo`: where money can be sent to, one shape per kind of account or wallet. */
import { Type, type TProperties, type TSchema } from '../../../infra/http/schema/type.ts'
import { object, oneOf } from '../../../infra/http/schema/wire-schema.ts'

const text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength })
const like = (pattern: string) => Type.String({ pattern })

const ACCOUNT_NUMBER = text(1, 34)
const BANK_NAME = text(1, 255)
const BIC = like('^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$')
const BANK_ACCOUNT_TYPE = oneOf(['CHECKING', 'SAVINGS'])
const ROUTING_NUMBER = like('^[0-9]{9}$')
const PHONE = like('^\\+[0-9]{6,14}$')
const PROVIDER = text(1, 255)
const HOLDER = { accountHolderName: Type.Optional(text(1, 255)) }
const BANK_HOLDER = { ...HOLDER, bankName: Type.Optional(BANK_NAME) }

/** `HKD` becomes `PaymentHkdAccountInfo`. */
const nameOf = (currency: string): string =>
  `Payment${currency.charAt(0)}${currency.slice(1).toLowerCase()}AccountInfo`

type Bank = Readonly<{
  rails: readonly string[]
  fields: TProperties
  /** Where it is not called after its currency. */
  accountTypes?: readonly string[]
}>

const bank = (currency: string, { rails, fields, accountTypes }: Bank): TSchema =>
  object(nameOf(currency), {
    accountType: oneOf(accountTypes ?? [`${currency}_ACCOUNT`]),
    reference: Type.String(),
    ...BANK_HOLDER,
    ...fields,
    paymentRails: Type.Array(oneOf(rails)),
  })

const TRANSFER = ['BANK_TRANSFER']
const TRANSFER_OR_MOBILE = ['BANK_TRANSFER', 'MOBILE_MONEY']

const bankByBic = (currency: string, rails: readonly string[] = TRANSFER): TSchema =>
  bank(currency, {
    rails,
    fields: { bankName: BANK_NAME, accountNumber: ACCOUNT_NUMBER, swiftCode: BIC },
  })

const mobile = (currency: string, phoneNumber: TSchema, fields: TProperties = {}): TSchema =>
  bank(currency, {
    rails: ['MOBILE_MONEY'],
    fields: { phoneNumber, provider: PROVIDER, ...fields },
  })

const bankOrMobile = (currency: string, fields: TProperties = {}): TSchema =>
  bank(currency, {
    rails: TRANSFER_OR_MOBILE,
    fields: {
      bankName: BANK_NAME,
      accountNumber: Type.Optional(ACCOUNT_NUMBER),
      phoneNumber: Type.Optional(PHONE),
      ...fields,
    },
  })

const wallet = (name: string, accountType: string, assets: readonly string[]): TSchema =>
  object(name, {
    accountType: oneOf([accountType]),
    address: Type.String(),
    assetType: Type.Optional(oneOf(assets)),
  })

const BANKS: readonly TSchema[] = [
  bank('USD', {
    // The first is answered; the second is the name of the external account type.
    accountTypes: ['US_ACCOUNT', 'USD_ACCOUNT'],
    rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      routingNumber: ROUTING_NUMBER,
      bankName: Type.Optional(text(1, 140)),
      bankAddress: Type.Optional(text(1, 255)),
      bankAccountType: Type.Optional(BANK_ACCOUNT_TYPE),
      intermediaryBankName: Type.Optional(text(1, 140)),
      intermediaryRoutingNumber: Type.Optional(ROUTING_NUMBER),
      fiToFiInformation: Type.Optional(text(0, 210)),
    },
  }),
  object('PaymentBrlAccountInfo', {
    accountType: oneOf(['BRL_ACCOUNT']),
    qrCode: Type.String({ minLength: 1 }),
    ...BANK_HOLDER,
  }),
  bank('MXN', { rails: ['SPEI'], fields: { clabeNumber: like('^[0-9]{18}$') } }),
  bank('DKK', {
    rails: ['SEPA', 'SEPA_INSTANT'],
    fields: { iban: like('^DK[0-9]{16}$'), swiftCode: Type.Optional(BIC) },
  }),
  bank('EUR', {
    rails: ['SEPA', 'SEPA_INSTANT'],
    fields: {
      iban: like('^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$'),
      swiftCode: Type.Optional(BIC),
    },
  }),
  object('PaymentInrAccountInfo', {
    accountType: oneOf(['INR_ACCOUNT']),
    vpa: Type.Optional(like('^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$')),
    accountNumber: Type.Optional(like('^[0-9]{9,18}$')),
    ifsc: Type.Optional(like('^[A-Z]{4}0[A-Z0-9]{6}$')),
    rail: Type.Optional(text(1, 32)),
    ...BANK_HOLDER,
    paymentRails: Type.Array(oneOf(['UPI', 'NEFT', 'RTGS'])),
  }),
  bank('NGN', {
    rails: TRANSFER,
    fields: { accountNumber: like('^[0-9]{10}$'), bankName: BANK_NAME },
  }),
  bank('CAD', {
    rails: TRANSFER,
    fields: {
      bankCode: like('^[0-9]{3}$'),
      branchCode: like('^[0-9]{5}$'),
      accountNumber: like('^[0-9]{7,12}$'),
    },
  }),
  bank('GBP', {
    rails: ['FASTER_PAYMENTS'],
    fields: { sortCode: like('^[0-9]{6}$'), accountNumber: like('^[0-9]{8}$') },
  }),
  bankByBic('HKD'),
  bank('IDR', {
    rails: TRANSFER,
    fields: {
      bankName: BANK_NAME,
      accountNumber: ACCOUNT_NUMBER,
      swiftCode: BIC,
      phoneNumber: like('^\\+62[0-9]{9,12}$'),
    },
  }),
  bankByBic('MYR'),
  bank('PHP', {
    rails: TRANSFER,
    fields: { bankName: BANK_NAME, accountNumber: like('^[0-9]{8,16}$') },
  }),
  bank('SGD', {
    rails: ['PAYNOW', 'FAST', 'BANK_TRANSFER'],
    fields: { accountNumber: ACCOUNT_NUMBER, swiftCode: BIC },
  }),
  bankByBic('THB'),
  bankByBic('VND'),
  bank('AED', {
    rails: TRANSFER,
    fields: { iban: like('^AE[0-9]{21}$'), swiftCode: Type.Optional(BIC) },
  }),
  mobile('KES', like('^\\+254[0-9]{9}$')),
  mobile('MWK', PHONE),
  mobile('RWF', like('^\\+250[0-9]{9}$')),
  mobile('TZS', like('^\\+255[0-9]{9}$')),
  mobile('UGX', PHONE),
  mobile('XOF', PHONE, { region: oneOf(['BJ', 'CI', 'SN', 'TG']) }),
  bank('ZAR', {
    rails: TRANSFER,
    fields: { accountNumber: like('^[0-9]{9,13}$'), bankName: BANK_NAME },
  }),
  mobile('ZMW', like('^\\+260[0-9]{9}$')),
  mobile('BWP', PHONE),
  mobile('XAF', PHONE, { region: oneOf(['CM', 'CG']) }),
  bankOrMobile('BDT', {
    branchCode: Type.Optional(like('^[0-9]{5}$')),
    swiftCode: Type.Optional(BIC),
  }),
  object('PaymentArsAccountInfo', {
    accountType: oneOf(['ARS_ACCOUNT']),
    accountNumber: like('^\\d{22}$'),
    ...BANK_HOLDER,
  }),
  object('PaymentCopAccountInfo', {
    accountType: oneOf(['COP_ACCOUNT']),
    paymentUrl: Type.String({ format: 'url' }),
    ...BANK_HOLDER,
  }),
  bank('EGP', {
    rails: TRANSFER_OR_MOBILE,
    fields: {
      iban: Type.Optional(like('^EG[0-9]{27}$')),
      bankName: BANK_NAME,
      phoneNumber: Type.Optional(PHONE),
    },
  }),
  bankOrMobile('GHS'),
  bank('GTQ', {
    rails: TRANSFER,
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      bankAccountType: BANK_ACCOUNT_TYPE,
      bankName: BANK_NAME,
    },
  }),
  bank('HTG', { rails: ['MOBILE_MONEY'], fields: { phoneNumber: PHONE } }),
  bank('JMD', {
    rails: TRANSFER,
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      branchCode: like('^[0-9]{5}$'),
      bankAccountType: BANK_ACCOUNT_TYPE,
      bankName: BANK_NAME,
    },
  }),
  bankOrMobile('PKR', { iban: Type.Optional(like('^PK[0-9]{2}[A-Z]{4}[0-9]{16}$')) }),
  bank('SLV', {
    rails: TRANSFER_OR_MOBILE,
    fields: {
      accountNumber: Type.Optional(ACCOUNT_NUMBER),
      bankAccountType: Type.Optional(BANK_ACCOUNT_TYPE),
      phoneNumber: Type.Optional(PHONE),
    },
  }),
  object('PaymentSwiftAccountInfo', {
    accountType: oneOf(['SWIFT_ACCOUNT']),
    country: like('^[A-Z]{2}$'),
    swiftCode: BIC,
    bankName: BANK_NAME,
    bankAddress: Type.Optional(text(1, 1024)),
    accountNumber: Type.Optional(ACCOUNT_NUMBER),
    iban: Type.Optional(like('^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$')),
    accountHolderName: text(1, 255),
    reference: Type.Optional(Type.String()),
    paymentRails: Type.Array(oneOf(['SWIFT'])),
  }),
  bankOrMobile('CNY'),
]

const WALLETS: readonly TSchema[] = [
  object('PaymentSparkWalletInfo', {
    accountType: oneOf(['SPARK_WALLET']),
    address: Type.String(),
    assetType: Type.String(),
    invoice: Type.Optional(Type.String()),
  }),
  object('PaymentLightningInvoiceInfo', {
    accountType: oneOf(['LIGHTNING']),
    invoice: Type.String(),
  }),
  wallet('PaymentSolanaWalletInfo', 'SOLANA_WALLET', ['USDC', 'USDT']),
  wallet('PaymentTronWalletInfo', 'TRON_WALLET', ['USDT']),
  wallet('PaymentPlasmaWalletInfo', 'PLASMA_WALLET', ['USDT']),
  wallet('PaymentPolygonWalletInfo', 'POLYGON_WALLET', ['USDC']),
  wallet('PaymentBaseWalletInfo', 'BASE_WALLET', ['USDC']),
  wallet('PaymentEthereumWalletInfo', 'ETHEREUM_WALLET', ['USDC', 'USDT']),
  object('PaymentBitcoinDepositAddressInfo', {
    accountType: oneOf(['BITCOIN_L1']),
    address: Type.String(),
    network: Type.Optional(oneOf(['BITCOIN'])),
  }),
  object('PaymentEmbeddedWalletInfo', {
    accountType: oneOf(['EMBEDDED_WALLET']),
    payloadToSign: Type.String({ description: 'What the customer signs to let the quote run.' }),
  }),
]

export const PAYMENT_ACCOUNT_SCHEMAS: readonly TSchema[] = [...BANKS, ...WALLETS]
