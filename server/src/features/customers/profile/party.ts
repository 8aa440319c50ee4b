import { displayName, type Customer } from '../customer.ts'

type Members = Readonly<Record<string, unknown>>

const isKnown = ([, value]: readonly [string, unknown]): boolean =>
  value !== undefined && value !== null

/** A customer as orders name it: name, birth date or registration number, address. Never a government identifier (PROV-40). */
export function partyOfCustomer(customer: Customer): Members {
  const { customerType: type, profile } = customer
  const { address } = profile
  const known =
    customer.customerType === 'INDIVIDUAL'
      ? { birthDate: customer.profile.birthDate, address }
      : { registrationNumber: customer.profile.businessInfo.registrationNumber, address }
  const members = Object.fromEntries(Object.entries(known).filter(isKnown))
  return { type, name: displayName(customer), ...members }
}
