/** The pattern of a country's tax ids, for the whole trimmed value (chapter 10, 1.3). */
const FORMS: Readonly<Record<string, string>> = {
  US: '^(\\d{2}-?\\d{7}|\\d{3}-\\d{2}-\\d{4})$',
  GB: '^((GB)?\\d{9}(\\d{3})?|\\d{10})$',
  DE: '^(DE\\d{9}|\\d{10,11}|\\d{2,3}/\\d{3}/\\d{4,5})$',
  FR: '^(FR[0-9A-Z]{2}\\d{9}|\\d{9}|\\d{14})$',
  MX: '^[A-ZÑ&]{3,4}\\d{6}[A-Z0-9]{3}$',
  BR: '^\\d{2}\\.?\\d{3}\\.?\\d{3}/?\\d{4}-?\\d{2}$',
  IN: '^([A-Z]{5}\\d{4}[A-Z]|\\d{2}[A-Z]{5}\\d{4}[A-Z][0-9A-Z]Z[0-9A-Z])$',
  CA: '^\\d{9}([A-Z]{2}\\d{4})?$',
}

const ELSEWHERE = '^[0-9A-Za-z][0-9A-Za-z ./-]{3,29}$'

export const taxIdForm = (country: string): string =>
  Object.hasOwn(FORMS, country) ? (FORMS[country] as string) : ELSEWHERE
