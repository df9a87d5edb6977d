export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
