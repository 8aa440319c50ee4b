import { mayCite } from '../../specification/rule-citations.ts'
import {
  areaOf,
  chaptersIn,
  isChapter,
  misanchoredLines,
  type SpecifiedRule,
} from '../../specification/specification.ts'
import { lineAt, literalText, visit, type CodeFile } from '../project/code-file.ts'
import { isTestFile } from '../project/places.ts'
import type { Project } from '../project/project.ts'
import type { ProjectRule, Spot } from '../project/rule.ts'

/** Specification, source and tests name the same rules. */
export const specificationRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'rule-anchor',
    fix: 'state each rule once, as `| ID <a id="id"></a> | …` or `- **ID** <a id="id"></a> …`',
    check: badAnchors,
  },
  {
    kind: 'project',
    name: 'unknown-rule-id',
    fix: 'name a rule of docs/specification, or state the rule there first',
    check: unknownIds,
  },
  {
    kind: 'project',
    name: 'unproved-rule',
    fix: 'carry its id in the title of a test, or list it under "Not built yet" in the head of its chapter',
    check: unproved,
  },
  {
    kind: 'project',
    name: 'built-rule',
    fix: 'a test proves it: take it out of "Not built yet" in the head of its chapter',
    check: provedThoughPlanned,
  },
]

const ID = /(?<![\w-])[A-Z]{2,}-\d{1,3}(?![\w-])/g

/** Standards and licences whose names have the form of an id. */
const OTHER_AREAS = new Set(['BIP', 'CRC', 'EIP', 'LUD', 'SHA', 'TIP', 'UTF'])

const idsIn = (text: string): string[] => [...text.matchAll(ID)].map(([id]) => id)

const rulesOf = ({ texts }: Project): SpecifiedRule[] =>
  chaptersIn(texts).flatMap(({ rules }) => rules)

function* badAnchors(project: Project): Generator<Spot> {
  for (const [file, text] of project.texts) {
    if (!isChapter(file)) continue
    for (const { line, id } of misanchoredLines(text)) yield { file, line, detail: id }
  }
  const seen = new Set<string>()
  for (const { id, file, line } of rulesOf(project)) {
    if (seen.has(id)) yield { file, line, detail: `${id} a second time` }
    seen.add(id)
  }
}

function* unknownIds(project: Project): Generator<Spot> {
  const known = new Set(rulesOf(project).map(({ id }) => id))
  const areas = new Set([...known].map(areaOf))
  for (const [file, text] of project.texts) {
    if (!mayCite(file) && !isChapter(file)) continue
    const code = project.code.get(file)
    const found = code === undefined ? proseLines(text) : codeLines(code, areas)
    for (const { line, ids } of found) {
      for (const id of ids) {
        if (!known.has(id) && !OTHER_AREAS.has(areaOf(id))) yield { file, line, detail: id }
      }
    }
  }
}

type Named = Readonly<{ line: number; ids: readonly string[] }>

const proseLines = (text: string): Named[] =>
  text.split('\n').map((line, index) => ({ line: index + 1, ids: idsIn(line) }))

/** Data of a test may have the form of an id; outside comments only the areas of the specification are meant. */
function codeLines(file: CodeFile, areas: ReadonlySet<string>): Named[] {
  const commented = new Set(file.comments.flatMap((comment) => spanOf(file, comment)))
  return proseLines(file.text).map(({ line, ids }) => ({
    line,
    ids: commented.has(line) ? ids : ids.filter((id) => areas.has(areaOf(id))),
  }))
}

function spanOf(file: CodeFile, { start, text }: CodeFile['comments'][number]): number[] {
  const first = lineAt(file, start)
  return text.split('\n').map((_, index) => first + index)
}

/** Ids in the strings of tests: their titles, and the rows that give titles. */
function provedIds({ code }: Project): Set<string> {
  const ids = new Set<string>()
  for (const file of code.values()) {
    if (!isTestFile(file.path) || !mayCite(file.path)) continue
    visit(file.ast, (node) => {
      const text = literalText(node)
      if (text !== undefined) for (const id of idsIn(text)) ids.add(id)
    })
  }
  return ids
}

function* unproved(project: Project): Generator<Spot> {
  const proved = provedIds(project)
  for (const { id, file, line, isBuilt } of rulesOf(project)) {
    if (isBuilt && !proved.has(id)) yield { file, line, detail: id }
  }
}

function* provedThoughPlanned(project: Project): Generator<Spot> {
  const proved = provedIds(project)
  for (const { id, file, line, isBuilt } of rulesOf(project)) {
    if (!isBuilt && proved.has(id)) yield { file, line, detail: id }
  }
}
