/** Fields that the UMA protocol names differently; all others have our names. */
const NAMES: readonly (readonly [uma: string, ours: string])[] = [
  ['name', 'FULL_NAME'],
  ['email', 'EMAIL'],
  ['birthDate', 'BIRTH_DATE'],
  ['nationality', 'NATIONALITY'],
  ['countryOfResidence', 'COUNTRY_OF_RESIDENCE'],
  ['phoneNumber', 'PHONE_NUMBER'],
  ['accountIdentifier', 'ACCOUNT_IDENTIFIER'],
  ['postalAddress', 'POSTAL_ADDRESS'],
  ['taxId', 'TAX_ID'],
  ['registrationNumber', 'REGISTRATION_NUMBER'],
  ['userType', 'USER_TYPE'],
]

const TO_OURS = new Map(NAMES)
const TO_UMA = new Map(NAMES.map(([uma, ours]) => [ours, uma]))

/** Fields that every pay request holds anyway. */
const SAID_ANYWAY: ReadonlySet<string> = new Set(['identifier', 'compliance'])

type Options = Readonly<Record<string, Readonly<{ mandatory: boolean }>>>

/** The requested payer fields by our names; an unknown name stays as it is. */
export const askedFields = (options: Options) =>
  Object.entries(options).flatMap(([name, { mandatory }]) =>
    SAID_ANYWAY.has(name) ? [] : [{ name: TO_OURS.get(name) ?? name, mandatory }],
  )

/** Payer data by the protocol's names. */
export const toUmaNames = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [TO_UMA.get(name) ?? name, value]))
