import ts from 'typescript'
import { literalText } from './project/code-file.ts'
import { inLayer, isCode, isServerSource, isStore, isTest } from './project/places.ts'
import type { Project } from './project/project.ts'
import type { NodeRule, ProjectRule, Rule, Spot } from './project/rule.ts'

const CLOCKS_COMPARED = 'server/src/infra/db/clock-skew.ts'
const SQL_CLOCK =
  /\b(now\s*\(\s*\)|(clock|statement|transaction)_timestamp\b|current_(timestamp|date|time)\b|local(time|timestamp)\b)/i
const SQL_FIX = 'pass the instant as a parameter: the database does not know the platform’s clock'

/** What has happened stays as it was written; a correction is a new entry. */
const KEPT =
  '(only\\s+)?(public\\.)?"?(ledger_journals|ledger_entries|audit_entries|audit_chain)\\b'
const REWRITE = new RegExp(
  `\\b((update|delete\\s+from|truncate(\\s+table)?|merge\\s+into)\\s+${KEPT}` +
    `|insert\\s+into\\s+${KEPT}[^;]*\\bon\\s+conflict\\b[^;]*\\bdo\\s+update\\b)`,
  'i',
)
const KEPT_FIX = 'journals, entries and the audit are only added to: write what corrects it'

const mayHoldSql = (path: string): boolean =>
  isStore(path) || inLayer(path, 'infra', 'ledger', 'webhooks', 'orders')

/**
 * Who owns a transaction: requests (procedures and pages open theirs step by step), jobs, the lane of payments,
 * delivery and orders, operators, and the check that needs one snapshot of the book.
 */
const mayBegin = (path: string): boolean =>
  inLayer(path, 'infra', 'operator', 'app', 'pages') ||
  /(^|[/-])routes\.ts$/.test(path) ||
  /^server\/src\/(ledger\/(lane|reports\/check-ledger)|webhooks\/(queue\/dispatch|delivery\/record)|orders\/(with-order|sending\/(claim|count-calls|run-attempt)))\b/.test(
    path,
  )

const isSqlTag = (node: ts.Node): boolean =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql'

const STATEMENT =
  /^\s*(select\s[^;]*\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|(SELECT|INSERT|UPDATE|DELETE)\s)/
const BEGIN = /^\s*(begin(\s+(transaction|work|isolation)\b.*)?|start\s+transaction\b.*);?\s*$/i

const nodeRules: readonly NodeRule[] = [
  {
    kind: 'node',
    name: 'sql-in-store',
    fix: 'move the statement into the store.ts of its feature, one function each',
    covers: (path) => isServerSource(path) && !mayHoldSql(path),
    breaks: (node) =>
      isSqlTag(node) ||
      (!ts.isTaggedTemplateExpression(node.parent) && STATEMENT.test(literalText(node) ?? '')),
  },
  {
    kind: 'node',
    name: 'sql-clock',
    fix: SQL_FIX,
    covers: (path) => isServerSource(path) && path !== CLOCKS_COMPARED,
    breaks: (node) => SQL_CLOCK.test(literalText(node) ?? ''),
  },
  {
    kind: 'node',
    name: 'open-transaction',
    fix: 'take a Work: only operations, jobs, the payment lane and operator commands open a transaction',
    covers: (path) => isServerSource(path) && !mayBegin(path),
    breaks: (node) => isOpening(node) || BEGIN.test(literalText(node) ?? ''),
  },
]

const keptRule: NodeRule = {
  kind: 'node',
  name: 'append-only',
  fix: KEPT_FIX,
  covers: (path) => isCode(path) && !isTest(path),
  breaks: (node) => REWRITE.test(literalText(node) ?? ''),
}

function isOpening(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false
  const called = node.expression
  return ts.isPropertyAccessExpression(called)
    ? called.name.text === 'transaction'
    : ts.isIdentifier(called) && called.text === 'inWork'
}

/** Moved the notes out of the entries before the first of them was chained. */
const NOTES_MOVED = 'server/migrations/0056-chain-what-is-there.sql'

const migrationRules: readonly ProjectRule[] = [
  {
    kind: 'project',
    name: 'sql-clock-in-migration',
    fix: SQL_FIX,
    check: (project) => inSqlFiles(project, SQL_CLOCK),
  },
  {
    kind: 'project',
    name: 'append-only-in-migration',
    fix: KEPT_FIX,
    check: (project) => inSqlFiles(project, REWRITE).filter(({ file }) => file !== NOTES_MOVED),
  },
]

/** Comments left out; a statement may go over several lines. */
function* inSqlFiles({ texts }: Project, form: RegExp): Generator<Spot> {
  for (const [file, text] of texts) {
    if (!file.endsWith('.sql')) continue
    const statements = text.replace(/--.*$/gm, (comment) => ' '.repeat(comment.length))
    for (const { index } of statements.matchAll(new RegExp(form, 'gi'))) {
      yield { file, line: statements.slice(0, index).split('\n').length }
    }
  }
}

export const sqlRules: readonly Rule[] = [...nodeRules, keptRule, ...migrationRules]
