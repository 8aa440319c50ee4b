import { ValidationErrorsIBAN, countrySpecs, isSEPACountry, validateIBAN } from 'ibantools'

/** The two letters that say whose IBAN it is. */
export function ibanCountry(iban: string): string {
  return iban.slice(0, 2)
}

/** Form: the country issues IBANs, and length and BBAN structure are that country's. */
export function hasIbanStructure(iban: string): boolean {
  const spec = countrySpecs[ibanCountry(iban)]
  if (!spec?.chars || !spec.bban_regexp) return false
  return (
    iban.length === spec.chars &&
    /^[A-Z]{2}[0-9]{2}/.test(iban) &&
    new RegExp(spec.bban_regexp).test(iban.slice(4))
  )
}

/**
 * Strict: ISO 13616 mod-97 (EACC-6). The national digits inside the BBAN, which the library checks too, are
 * the receiving bank's business.
 */
export function hasIbanChecksum(iban: string): boolean {
  const { errorCodes } = validateIBAN(iban)
  return errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum)
}

/** Strict: an account that the SEPA schemes reach. */
export function isSepaIban(iban: string): boolean {
  return isSEPACountry(ibanCountry(iban))
}
