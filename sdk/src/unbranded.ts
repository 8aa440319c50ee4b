const VALUES: Readonly<Record<string, string>> = {
  type: 'SERVICE_INTERNAL_ACCOUNT',
  stateReason: 'CLOSED_BY_SERVICE',
  code: 'SERVICE_SWITCH_ERROR',
}

/**
 * What an installation of another brand writes, in the words of the types: `acmeOperationsStatus` becomes
 * `serviceOperationsStatus`. The other way is not needed: a service of any brand takes the words of the types.
 */
export function unbranded(body: unknown, brand: string): unknown {
  if (brand === 'Service') return body
  const start = brand.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (letters) => letters.toLowerCase())
  const field = new RegExp(
    `^${start}(?=Api(?:Multiplier|FixedFee|VariableFee\\w+)$|OperationsStatus$)`,
  )
  const branded = new Map(
    Object.entries(VALUES).map(([name, value]) => [
      name,
      value.replace('SERVICE', brand.toUpperCase()),
    ]),
  )
  const read = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return value === branded.get(name) ? VALUES[name] : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => read(item, name))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key.replace(field, 'service'),
        read(inner, key),
      ]),
    )
  }
  return read(body, '')
}
