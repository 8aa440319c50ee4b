import { areaOf, type Chapter, type SpecifiedRule } from '../specification/specification.ts'
import { markdownTable } from './markdown-table.ts'

/** The chapters with what each is about, its prefixes and how many rules it has. */
export const specificationTable = (chapters: readonly Chapter[]): string =>
  markdownTable(['chapter', 'about', 'prefixes', 'rules'], chapters.map(rowOf))

function rowOf({ file, title, rules }: Chapter): string[] {
  const [name = '', about = ''] = title.split(': ')
  const areas = [...new Set(rules.map(({ id }) => areaOf(id)))]
  return [
    `[${name}](${file.slice(file.lastIndexOf('/') + 1)})`,
    about,
    areas.map((area) => `\`${area}\``).join(' '),
    countOf(rules),
  ]
}

function countOf(rules: readonly SpecifiedRule[]): string {
  const planned = rules.filter(({ isBuilt }) => !isBuilt).length
  return planned === 0 ? `${rules.length}` : `${rules.length}, ${planned} not built yet`
}
