/** The six digits that lead to a British branch. */
export const SORT_CODE_PATTERN = '^[0-9]{6}$'

/** People write 12-34-56; the rails want 123456. */
export function bareSortCode(text: string): string {
  return text.replace(/[\s-]/g, '')
}
