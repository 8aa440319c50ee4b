// data table
/** Account types paid to a phone, or to a phone or a bank by the fields given. Columns: shape.ts. */
import {
  ACCOUNT_NUMBER,
  BANK_ACCOUNT_TYPE,
  BANK_NAME,
  BIC,
  PHONE,
  PROVIDER,
  choice,
  digits,
  ibanOf,
  phoneOf,
  required,
} from './fields.ts'
import type { AccountType, Alternative } from './shape.ts'
import { COLOMBIAN_DOCUMENT, beneficiary } from './beneficiary.ts'
import type { CallingCode } from '../formats/bank/phone.ts'

const REGISTERED_AND_TAXED = beneficiary({ businessComplete: ['registrationNumber', 'taxId'] })

type MobileMoney = Readonly<{
  currency: string
  callingCode: CallingCode
  /** The contract's own pattern already names the country. */
  contractNamesCountry?: true
  providers?: readonly string[]
}>

/** Mobile money of one country: a phone number and the provider of the wallet behind it. */
function mobileMoney({ currency, callingCode, ...rest }: MobileMoney): AccountType {
  const phone = rest.contractNamesCountry ? phoneOf(callingCode) : PHONE
  return {
    accountType: `${currency}_ACCOUNT`,
    kind: 'fiat',
    currencies: [currency],
    rails: ['MOBILE_MONEY'],
    fields: { phoneNumber: required(phone), provider: required(PROVIDER) },
    identifier: ['phoneNumber'],
    callingCode,
    ...(rest.providers && { providers: rest.providers }),
    beneficiary: REGISTERED_AND_TAXED,
  }
}

const BY_PHONE: Alternative = { needs: ['phoneNumber'], rails: ['MOBILE_MONEY'] }

/** Shared by types that take a bank account or a phone number, never both. */
function bankOrPhone(bank: Omit<Alternative, 'rails'>, phone: Partial<Alternative> = {}) {
  return {
    kind: 'fiat',
    rails: ['BANK_TRANSFER', 'MOBILE_MONEY'],
    alternatives: [
      { ...bank, rails: ['BANK_TRANSFER'] },
      { ...BY_PHONE, ...phone },
    ],
  } as const
}

const BY_ACCOUNT_NUMBER = { needs: ['accountNumber'] }

export const MOBILE_ACCOUNT_TYPES: readonly AccountType[] = [
  mobileMoney({
    currency: 'KES',
    callingCode: { code: '254', digits: [9, 9] },
    contractNamesCountry: true,
    providers: ['M-PESA'],
  }),
  mobileMoney({
    currency: 'TZS',
    callingCode: { code: '255', digits: [9, 9] },
    contractNamesCountry: true,
    providers: ['AIRTEL', 'VODACOM'],
  }),
  mobileMoney({
    currency: 'ZMW',
    callingCode: { code: '260', digits: [9, 9] },
    contractNamesCountry: true,
    providers: ['MTN', 'AIRTEL', 'ZAMTEL', 'TNM'],
  }),
  mobileMoney({
    currency: 'RWF',
    callingCode: { code: '250', digits: [9, 9] },
    contractNamesCountry: true,
    providers: ['MTN', 'AIRTEL'],
  }),
  mobileMoney({
    currency: 'MWK',
    callingCode: { code: '265', digits: [9, 9] },
    providers: ['AIRTEL', 'TNM'],
  }),
  mobileMoney({
    currency: 'UGX',
    callingCode: { code: '256', digits: [9, 9] },
    providers: ['MTN', 'AIRTEL'],
  }),
  mobileMoney({ currency: 'BWP', callingCode: { code: '267', digits: [7, 8] } }),
  {
    accountType: 'XOF_ACCOUNT',
    kind: 'fiat',
    currencies: ['XOF'],
    rails: ['MOBILE_MONEY'],
    fields: {
      phoneNumber: required(PHONE),
      provider: required(PROVIDER),
      region: required(choice(['BJ', 'CI', 'SN', 'TG'])),
    },
    identifier: ['phoneNumber'],
    callingCode: {
      byRegion: {
        BJ: { code: '229', digits: [8, 10] },
        CI: { code: '225', digits: [10, 10] },
        SN: { code: '221', digits: [9, 9] },
        TG: { code: '228', digits: [8, 8] },
      },
    },
    beneficiary: REGISTERED_AND_TAXED,
  },
  {
    accountType: 'XAF_ACCOUNT',
    kind: 'fiat',
    currencies: ['XAF'],
    rails: ['MOBILE_MONEY'],
    fields: {
      phoneNumber: required(PHONE),
      provider: required(PROVIDER),
      region: required(choice(['CM', 'CG'])),
    },
    identifier: ['phoneNumber'],
    callingCode: {
      byRegion: {
        CM: { code: '237', digits: [9, 9] },
        CG: { code: '242', digits: [9, 9] },
      },
    },
    beneficiary: REGISTERED_AND_TAXED,
  },
  {
    accountType: 'HTG_ACCOUNT',
    kind: 'fiat',
    currencies: ['HTG'],
    rails: ['MOBILE_MONEY'],
    fields: { phoneNumber: required(PHONE) },
    identifier: ['phoneNumber'],
    callingCode: { code: '509', digits: [8, 8] },
    beneficiary: beneficiary(),
  },
  {
    accountType: 'BDT_ACCOUNT',
    ...bankOrPhone(BY_ACCOUNT_NUMBER),
    currencies: ['BDT'],
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      bankName: required(BANK_NAME),
      branchCode: digits(5),
      swiftCode: BIC,
      phoneNumber: PHONE,
    },
    identifier: ['accountNumber', 'phoneNumber'],
    callingCode: { code: '880' },
    directory: 'BD',
    beneficiary: beneficiary(),
  },
  {
    accountType: 'GHS_ACCOUNT',
    ...bankOrPhone(BY_ACCOUNT_NUMBER),
    currencies: ['GHS'],
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      bankName: required(BANK_NAME),
      phoneNumber: PHONE,
    },
    identifier: ['accountNumber', 'phoneNumber'],
    callingCode: { code: '233' },
    directory: 'GH',
    beneficiary: beneficiary(),
  },
  {
    accountType: 'PKR_ACCOUNT',
    ...bankOrPhone({ needs: ['accountNumber'], takes: ['iban'] }),
    currencies: ['PKR'],
    fields: {
      bankName: required(BANK_NAME),
      accountNumber: ACCOUNT_NUMBER,
      iban: ibanOf('^PK[0-9]{2}[A-Z]{4}[0-9]{16}$', 24),
      phoneNumber: PHONE,
    },
    identifier: ['accountNumber', 'phoneNumber'],
    callingCode: { code: '92' },
    beneficiary: beneficiary(),
  },
  {
    accountType: 'EGP_ACCOUNT',
    ...bankOrPhone({ needs: ['iban'] }),
    currencies: ['EGP'],
    fields: {
      iban: ibanOf('^EG[0-9]{27}$', 29),
      bankName: required(BANK_NAME),
      phoneNumber: PHONE,
    },
    identifier: ['iban', 'phoneNumber'],
    callingCode: { code: '20' },
    beneficiary: beneficiary(),
  },
  {
    accountType: 'COP_ACCOUNT',
    ...bankOrPhone({ needs: ['accountNumber', 'bankAccountType'] }),
    currencies: ['COP'],
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      bankAccountType: BANK_ACCOUNT_TYPE,
      bankName: required(BANK_NAME),
      phoneNumber: PHONE,
    },
    identifier: ['accountNumber', 'phoneNumber'],
    callingCode: { code: '57' },
    beneficiary: beneficiary({
      extra: COLOMBIAN_DOCUMENT,
      complete: ['documentType', 'documentNumber'],
    }),
  },
  {
    accountType: 'SLV_ACCOUNT',
    ...bankOrPhone({ needs: ['bankName', 'accountNumber', 'bankAccountType'] }),
    currencies: ['USD'],
    fields: {
      bankName: BANK_NAME,
      accountNumber: ACCOUNT_NUMBER,
      bankAccountType: BANK_ACCOUNT_TYPE,
      phoneNumber: PHONE,
    },
    identifier: ['accountNumber', 'phoneNumber'],
    callingCode: { code: '503' },
    beneficiary: beneficiary(),
  },
  {
    accountType: 'CNY_ACCOUNT',
    ...bankOrPhone(
      { needs: ['accountNumber'], beneficiaryType: 'BUSINESS' },
      { beneficiaryType: 'INDIVIDUAL', enums: { bankName: ['AliPay', 'WechatPay'] } },
    ),
    currencies: ['CNY'],
    fields: {
      accountNumber: ACCOUNT_NUMBER,
      bankName: required(BANK_NAME),
      phoneNumber: PHONE,
    },
    identifier: ['accountNumber', 'phoneNumber'],
    callingCode: { code: '86' },
    beneficiary: beneficiary(),
  },
]
