import type ts from 'typescript'
import type { CodeFile } from './code-file.ts'
import type { Project } from './project.ts'

export type Finding = Readonly<{ file: string; line: number; rule: string; message: string }>

/** Where a rule is broken; `detail` says what exactly, the rule itself says how to mend it. */
export type Spot = Readonly<{ file: string; line: number; detail?: string }>

/** Asked once for every node of every file it covers; all node rules share one walk. */
export type NodeRule = Readonly<{
  kind: 'node'
  name: string
  fix: string
  covers: (path: string) => boolean
  breaks: (node: ts.Node, file: CodeFile) => boolean
}>

export type ProjectRule = Readonly<{
  kind: 'project'
  name: string
  fix: string
  check: (project: Project) => Iterable<Spot>
}>

export type Rule = NodeRule | ProjectRule
