import type { Platform } from '../../kernel/platform.ts'
import { builtInInspector } from './built-in-inspector.ts'
import type { DocumentInspector } from './document-inspector.ts'
import { sandboxInspector } from './sandbox-inspector.ts'

/** DOC-17: the name of a file decides nothing in production. */
export const inspectorFor = ({ environment }: Pick<Platform, 'environment'>): DocumentInspector =>
  environment === 'SANDBOX' ? sandboxInspector : builtInInspector
