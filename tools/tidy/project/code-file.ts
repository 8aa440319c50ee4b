import ts from 'typescript'

export type Comment = Readonly<{ kind: 'line' | 'block' | 'doc'; text: string; start: number }>

/** One parsed file. */
export type CodeFile = Readonly<{
  path: string
  text: string
  ast: ts.SourceFile
  comments: readonly Comment[]
  lineCount: number
}>

export function parseCode(path: string, text: string): CodeFile {
  const ast = ts.createSourceFile(
    path,
    text,
    { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  )
  return { path, text, ast, comments: commentsOf(ast), lineCount: countLines(text) }
}

function countLines(text: string): number {
  const lines = text.split('\n').length
  return text.endsWith('\n') ? lines - 1 : lines
}

export const lineAt = (file: CodeFile, position: number): number =>
  file.ast.getLineAndCharacterOfPosition(position).line + 1

export const lineOf = (file: CodeFile, node: ts.Node): number =>
  lineAt(file, node.getStart(file.ast))

/** Every node below `root`, parents first. */
export function visit(root: ts.Node, seen: (node: ts.Node) => void): void {
  for (const node of ts.isSourceFile(root) ? nodesOf(root) : nodesBelow(root)) seen(node)
}

/** A dozen rules go through every file, and walking the tree takes longer than most of them. */
const nodesByFile = new WeakMap<ts.SourceFile, readonly ts.Node[]>()

function nodesOf(file: ts.SourceFile): readonly ts.Node[] {
  const nodes = nodesByFile.get(file) ?? nodesBelow(file)
  nodesByFile.set(file, nodes)
  return nodes
}

function nodesBelow(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const step = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, step)
  }
  ts.forEachChild(root, step)
  return nodes
}

const isLiteralText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isJsxText(node)

/**
 * The tree does not hold comments. Two slashes begin one wherever they do not lie in a string, a template, a
 * regular expression or markup, and the tree knows where those are.
 */
function commentsOf(ast: ts.SourceFile): Comment[] {
  const endOfLiteral = new Map<number, number>()
  visit(ast, (node) => {
    if (isLiteralText(node)) endOfLiteral.set(node.getStart(ast), node.getEnd())
  })
  const { text } = ast
  const comments: Comment[] = []
  const interesting = /["'`/}>{]/g
  for (let at = 0; at < text.length;) {
    const past = endOfLiteral.get(at)
    if (past !== undefined && past > at) {
      at = past
    } else if (text.startsWith('//', at) || text.startsWith('/*', at)) {
      const comment = commentAt(text, at)
      comments.push(comment)
      at += comment.text.length
    } else if (endOfLiteral.has(at + 1)) {
      at += 1
    } else {
      interesting.lastIndex = at + 1
      at = interesting.exec(text)?.index ?? text.length
    }
  }
  return comments
}

function commentAt(text: string, start: number): Comment {
  if (text.startsWith('//', start)) {
    const end = text.indexOf('\n', start)
    return { kind: 'line', text: text.slice(start, end === -1 ? undefined : end), start }
  }
  const end = text.indexOf('*/', start + 2)
  const kind = text.startsWith('/**', start) && text[start + 3] !== '/' ? 'doc' : 'block'
  return { kind, text: text.slice(start, end === -1 ? undefined : end + 2), start }
}

/** The text of a string or template literal, without what is interpolated; undefined for anything else. */
export function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('$')
  }
  return undefined
}
