// data table
/** Account types paid over bank rails. Columns: account-type.ts. */
import { isCountryCode } from '../../../kernel/country-codes.ts'
import {
  ACCOUNT_NUMBER,
  BANK_ACCOUNT_TYPE,
  BANK_NAME,
  BIC,
  IBAN,
  LATIN_ACCOUNT_NUMBER,
  ROUTING_NUMBER,
  choice,
  digits,
  ibanOf,
  phoneOf,
  required,
  text,
} from './fields.ts'
import type { AccountType } from './shape.ts'
import { REGISTRATION_NUMBER, beneficiary } from './beneficiary.ts'
import { checkPixKey } from './check-pix-key.ts'
import { checkSwiftCountry } from './check-swift-country.ts'
import { isClabe } from '../formats/bank/clabe.ts'
import { hasIbanChecksum, isSepaIban } from '../formats/bank/iban.ts'
import { IFSC_PATTERN } from '../formats/bank/ifsc.ts'
import { PIX_KEY_TYPES } from '../formats/bank/pix-key.ts'
import { SORT_CODE_PATTERN } from '../formats/bank/sort-code.ts'
import { UPI_VPA_PATTERN } from '../formats/bank/upi-vpa.ts'
import { pixKeyText, sortCodeText, taxIdText, trimmed } from '../formats/normalise.ts'

const REGISTERED_AND_TAXED = ['registrationNumber', 'taxId']

/** Countries whose banks are named by their BIC. */
function bankByBic({ currency, country }: { currency: string; country: string }): AccountType {
  return {
    accountType: `${currency}_ACCOUNT`,
    kind: 'fiat',
    currencies: [currency],
    rails: ['BANK_TRANSFER'],
    fields: {
      bankName: required(BANK_NAME),
      accountNumber: required(LATIN_ACCOUNT_NUMBER),
      swiftCode: required(BIC),
    },
    identifier: ['accountNumber'],
    bicCountry: country,
    beneficiary: beneficiary(),
  }
}

export const BANK_ACCOUNT_TYPES: readonly AccountType[] = [
  {
    accountType: 'USD_ACCOUNT',
    aliases: ['US_ACCOUNT'],
    fieldAliases: { accountCategory: 'bankAccountType' },
    kind: 'fiat',
    currencies: ['USD'],
    rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
    fields: {
      accountNumber: required(digits(4, 17)),
      routingNumber: required(ROUTING_NUMBER),
      bankName: text(1, 140),
      bankAccountType: BANK_ACCOUNT_TYPE,
      intermediaryBankName: text(1, 140),
      intermediaryRoutingNumber: ROUTING_NUMBER,
      fiToFiInformation: text(0, 210),
    },
    together: ['intermediaryBankName', 'intermediaryRoutingNumber'],
    identifier: ['accountNumber'],
    beneficiary: beneficiary({ complete: ['address', 'address.city'] }),
  },
  {
    accountType: 'EUR_ACCOUNT',
    kind: 'fiat',
    currencies: ['EUR'],
    rails: ['SEPA_INSTANT', 'SEPA'],
    fields: {
      iban: required({ ...IBAN, strict: (iban) => hasIbanChecksum(iban) && isSepaIban(iban) }),
      swiftCode: BIC,
    },
    identifier: ['iban'],
    bicCountry: { from: 'iban' },
    beneficiary: beneficiary({
      requires: ['countryOfResidence'],
      complete: ['address'],
      businessComplete: ['registrationNumber'],
    }),
  },
  {
    accountType: 'DKK_ACCOUNT',
    kind: 'fiat',
    currencies: ['DKK'],
    rails: ['SEPA_INSTANT', 'SEPA'],
    fields: { iban: required(ibanOf('^DK[0-9]{16}$', 18)), swiftCode: BIC },
    identifier: ['iban'],
    beneficiary: beneficiary(),
  },
  {
    accountType: 'GBP_ACCOUNT',
    kind: 'fiat',
    currencies: ['GBP'],
    rails: ['FASTER_PAYMENTS'],
    fields: {
      sortCode: required({
        minLength: 6,
        maxLength: 6,
        pattern: SORT_CODE_PATTERN,
        normalise: sortCodeText,
      }),
      accountNumber: required(digits(8)),
    },
    identifier: ['accountNumber'],
    beneficiary: beneficiary({ complete: ['address'] }),
  },
  {
    accountType: 'MXN_ACCOUNT',
    kind: 'fiat',
    currencies: ['MXN'],
    rails: ['SPEI'],
    fields: { clabeNumber: required({ ...digits(18), format: 'clabe', strict: isClabe }) },
    identifier: ['clabeNumber'],
    beneficiary: beneficiary(),
  },
  {
    accountType: 'BRL_ACCOUNT',
    kind: 'fiat',
    currencies: ['BRL'],
    rails: ['PIX'],
    fields: {
      pixKey: required({ minLength: 1, maxLength: 77, normalise: pixKeyText }),
      pixKeyType: required(choice(PIX_KEY_TYPES)),
      taxId: required({
        minLength: 11,
        maxLength: 14,
        pattern: '^[0-9]{11,14}$',
        normalise: taxIdText,
        form: (taxId) => taxId.length === 11 || taxId.length === 14,
      }),
    },
    identifier: ['pixKey'],
    beneficiary: beneficiary(),
    check: checkPixKey,
  },
  {
    accountType: 'INR_ACCOUNT',
    kind: 'fiat',
    currencies: ['INR'],
    rails: ['UPI', 'NEFT', 'RTGS'],
    fields: {
      vpa: { ...text(3, 255), pattern: UPI_VPA_PATTERN, format: 'upi-vpa' },
      accountNumber: digits(9, 18),
      ifsc: { ...text(11, 11), pattern: IFSC_PATTERN, format: 'ifsc' },
      rail: choice(['NEFT', 'RTGS']),
      bankName: BANK_NAME,
    },
    alternatives: [
      { needs: ['vpa'], rails: ['UPI'] },
      { needs: ['accountNumber', 'ifsc', 'rail'], rails: { from: 'rail' } },
    ],
    identifier: ['vpa', 'accountNumber'],
    beneficiary: beneficiary(),
  },
  {
    accountType: 'CAD_ACCOUNT',
    kind: 'fiat',
    currencies: ['CAD'],
    rails: ['BANK_TRANSFER'],
    fields: {
      bankCode: required(digits(3)),
      branchCode: required(digits(5)),
      accountNumber: required(digits(7, 12)),
    },
    identifier: ['accountNumber'],
    beneficiary: beneficiary({ extra: REGISTRATION_NUMBER }),
  },
  {
    accountType: 'NGN_ACCOUNT',
    kind: 'fiat',
    currencies: ['NGN'],
    rails: ['BANK_TRANSFER'],
    fields: { accountNumber: required(digits(10)), bankName: required(BANK_NAME) },
    identifier: ['accountNumber'],
    directory: 'NG',
    beneficiary: beneficiary({ businessComplete: REGISTERED_AND_TAXED }),
  },
  {
    accountType: 'ZAR_ACCOUNT',
    kind: 'fiat',
    currencies: ['ZAR'],
    rails: ['BANK_TRANSFER'],
    fields: { accountNumber: required(digits(9, 13)), bankName: required(BANK_NAME) },
    identifier: ['accountNumber'],
    directory: 'ZA',
    beneficiary: beneficiary({ businessComplete: REGISTERED_AND_TAXED }),
  },
  {
    accountType: 'PHP_ACCOUNT',
    kind: 'fiat',
    currencies: ['PHP'],
    rails: ['BANK_TRANSFER'],
    fields: { bankName: required(BANK_NAME), accountNumber: required(digits(8, 16)) },
    identifier: ['accountNumber'],
    directory: 'PH',
    beneficiary: beneficiary(),
  },
  bankByBic({ currency: 'HKD', country: 'HK' }),
  bankByBic({ currency: 'MYR', country: 'MY' }),
  bankByBic({ currency: 'THB', country: 'TH' }),
  bankByBic({ currency: 'VND', country: 'VN' }),
  {
    accountType: 'SGD_ACCOUNT',
    kind: 'fiat',
    currencies: ['SGD'],
    rails: ['FAST', 'PAYNOW', 'BANK_TRANSFER'],
    fields: {
      bankName: BANK_NAME,
      accountNumber: required(LATIN_ACCOUNT_NUMBER),
      swiftCode: required(BIC),
    },
    identifier: ['accountNumber'],
    bicCountry: 'SG',
    beneficiary: beneficiary(),
  },
  {
    accountType: 'IDR_ACCOUNT',
    kind: 'fiat',
    currencies: ['IDR'],
    rails: ['BANK_TRANSFER'],
    fields: {
      bankName: required(BANK_NAME),
      accountNumber: required(ACCOUNT_NUMBER),
      swiftCode: required(BIC),
      phoneNumber: required(phoneOf({ code: '62', digits: [9, 12] })),
    },
    identifier: ['accountNumber'],
    bicCountry: 'ID',
    beneficiary: beneficiary(),
  },
  {
    accountType: 'AED_ACCOUNT',
    kind: 'fiat',
    currencies: ['AED'],
    rails: ['BANK_TRANSFER'],
    fields: { iban: required(ibanOf('^AE[0-9]{21}$', 23)), swiftCode: BIC },
    identifier: ['iban'],
    beneficiary: beneficiary({ requires: ['address'] }),
  },
  {
    accountType: 'GTQ_ACCOUNT',
    kind: 'fiat',
    currencies: ['GTQ'],
    rails: ['BANK_TRANSFER'],
    fields: {
      accountNumber: required(ACCOUNT_NUMBER),
      bankAccountType: required(BANK_ACCOUNT_TYPE),
      bankName: required(BANK_NAME),
    },
    identifier: ['accountNumber'],
    directory: 'GT',
    beneficiary: beneficiary({ requires: ['countryOfResidence', 'phoneNumber'] }),
  },
  {
    accountType: 'JMD_ACCOUNT',
    kind: 'fiat',
    currencies: ['JMD'],
    rails: ['BANK_TRANSFER'],
    fields: {
      accountNumber: required(ACCOUNT_NUMBER),
      branchCode: required(digits(5)),
      bankAccountType: required(BANK_ACCOUNT_TYPE),
      bankName: required(BANK_NAME),
    },
    identifier: ['accountNumber'],
    directory: 'JM',
    beneficiary: beneficiary({ requires: ['address', 'phoneNumber'] }),
  },
  {
    accountType: 'SWIFT_ACCOUNT',
    kind: 'fiat',
    currencies: 'any-fiat',
    rails: ['SWIFT'],
    fields: {
      country: required({
        minLength: 2,
        maxLength: 2,
        pattern: '^[A-Z]{2}$',
        format: 'iso3166-1-alpha-2',
        normalise: trimmed,
        form: isCountryCode,
      }),
      swiftCode: required(BIC),
      bankName: required(BANK_NAME),
      accountNumber: ACCOUNT_NUMBER,
      iban: IBAN,
    },
    atLeastOne: ['accountNumber', 'iban'],
    identifier: ['accountNumber', 'iban'],
    bicCountry: { from: 'country' },
    beneficiary: beneficiary(),
    check: checkSwiftCountry,
  },
]
