import { expectStatus } from '../api.ts'
import { ADDRESS } from '../customers.ts'
import type { TestPlatform } from '../florin.ts'

export const PERSON = {
  firstName: 'Ana',
  lastName: 'Martins',
  birthDate: '1980-05-17',
  nationality: 'US',
  address: ADDRESS,
  idType: 'SSN',
  identifier: '123-45-6789',
} as const

/** Somebody who is no US person, and so needs papers where his part is large. */
export const ABROAD = {
  nationality: 'BR',
  address: { line1: 'Rua 1', postalCode: '01000', country: 'BR' },
  idType: 'NON_US_TAX_ID',
  identifier: '123.456.789-09',
} as const

export type OwnerOverrides = Readonly<Record<string, unknown>> & {
  readonly personalInfo?: Readonly<Record<string, unknown>>
}

/** The registration of an owner, a US director with 10 % unless told otherwise. */
export const ownerBody = (customerId: unknown, overrides: OwnerOverrides = {}) => ({
  customerId,
  roles: ['DIRECTOR'],
  ownershipPercentage: 10,
  ...overrides,
  personalInfo: { ...PERSON, ...overrides.personalInfo },
})

export async function createOwner(
  { api }: TestPlatform,
  customerId: unknown,
  overrides: OwnerOverrides = {},
) {
  return expectStatus(await api.post('/beneficial-owners', ownerBody(customerId, overrides)), 201)
}
