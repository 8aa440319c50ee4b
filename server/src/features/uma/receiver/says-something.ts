/** Whether a value of a payer or receiver field tells anything: blank text, an empty object and a truth value do not (UMA-6). */
export function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return typeof value === 'number'
}
