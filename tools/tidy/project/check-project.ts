import { lineOf, visit } from './code-file.ts'
import { commentRules } from '../text/comments.ts'
import { contentRules } from '../content.ts'
import { directionRules } from '../direction.ts'
import { nameRules } from '../names.ts'
import type { Project } from './project.ts'
import type { Finding, NodeRule, ProjectRule, Rule, Spot } from './rule.ts'
import { sizeRules } from '../sizes.ts'
import { specificationRules } from '../text/specification.ts'
import { sqlRules } from '../sql.ts'
import { ambientRules, environmentRules, languageRules, moneyRules } from '../syntax.ts'
import { testRules } from '../tests.ts'
import { useCaseRules } from '../use-cases.ts'
import { wordRules } from '../text/words.ts'

export const RULES: readonly Rule[] = [
  ...directionRules,
  ...nameRules,
  ...sizeRules,
  ...languageRules,
  ...ambientRules,
  ...moneyRules,
  ...environmentRules,
  ...sqlRules,
  ...testRules,
  ...commentRules,
  ...specificationRules,
  ...useCaseRules,
  ...contentRules,
  ...wordRules,
]

/** Every finding of every rule, by file and line. */
export function checkProject(project: Project): Finding[] {
  const nodeRules = RULES.filter((rule) => rule.kind === 'node')
  const projectRules = RULES.filter((rule) => rule.kind === 'project')
  return [...ofNodes(project, nodeRules), ...ofProject(project, projectRules)].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.rule, b.rule),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const findingOf = ({ name, fix }: Rule, { file, line, detail }: Spot): Finding => ({
  file,
  line,
  rule: name,
  message: detail === undefined ? fix : `${detail}: ${fix}`,
})

function ofProject(project: Project, rules: readonly ProjectRule[]): Finding[] {
  return rules.flatMap((rule) => Array.from(rule.check(project), (spot) => findingOf(rule, spot)))
}

/** One walk for all; a line is named once for each rule, however often it breaks it. */
function ofNodes({ code }: Project, rules: readonly NodeRule[]): Finding[] {
  const findings = new Map<string, Finding>()
  for (const file of code.values()) {
    const covering = rules.filter((rule) => rule.covers(file.path))
    visit(file.ast, (node) => {
      for (const rule of covering) {
        if (!rule.breaks(node, file)) continue
        const finding = findingOf(rule, { file: file.path, line: lineOf(file, node) })
        findings.set(`${finding.file}:${finding.line}:${finding.rule}`, finding)
      }
    })
  }
  return [...findings.values()]
}
