/** The parts of our own OpenAPI description that the SDK is made from. */
export type Schema = Readonly<{
  $ref?: string
  type?: string
  format?: string
  const?: string
  enum?: readonly string[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  description?: string
  readOnly?: boolean
  deprecated?: boolean
  'x-shown-once'?: boolean
}>

export type Content = Readonly<Record<string, Readonly<{ schema: Schema }>>>

export type Parameter = Readonly<{
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}>

export type DescribedOperation = Readonly<{
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ required?: boolean; content: Content }>
  responses: Readonly<Record<string, Readonly<{ content?: Content }>>>
  security?: readonly object[]
  'x-florin-permission'?: string
  'x-florin-errors'?: readonly string[]
}>

export type InterfaceDescription = Readonly<{
  info: Readonly<{ version: string }>
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  webhooks: Readonly<
    Record<
      string,
      Readonly<{ post: Readonly<{ summary: string; requestBody: { content: Content } }> }>
    >
  >
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>
  'x-florin-error-catalogue': readonly Readonly<{ code: string; retry: string; message: string }>[]
}>

export type Route = Readonly<{ method: string; path: string; operation: DescribedOperation }>

export const routesOf = ({ paths }: InterfaceDescription): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
