import { Trash2 } from 'lucide-react';
import type { Dependency } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Table } from '../ui/table';
import { boundsText, isDirected, RULE_NAMES, ruleSentence } from './rule-text';

type RuleTableProps = {
  rules: Dependency[];
  nameOf: (id: string) => string;
  /** Rules that a refused one contradicts. */
  conflicting: string[];
  onDelete: ((rule: Dependency) => void) | undefined;
};

/** Every rule in a row. */
export function RuleTable({ rules, nameOf, conflicting, onDelete }: RuleTableProps) {
  const sorted = rules.toSorted((one, other) =>
    `${nameOf(one.firstServiceId)} ${nameOf(one.thenServiceId)}`.localeCompare(
      `${nameOf(other.firstServiceId)} ${nameOf(other.thenServiceId)}`,
    ),
  );
  return (
    <Table label="Rules between services" minWidth="38rem" stacked>
      <thead>
        <tr>
          <th scope="col">First service</th>
          <th scope="col">Rule</th>
          <th scope="col">Second service</th>
          <th scope="col">Bounds</th>
          {onDelete && <th scope="col" aria-label="Actions" />}
        </tr>
      </thead>
      <tbody>
        {sorted.map((rule) => {
          const [first, then] = [nameOf(rule.firstServiceId), nameOf(rule.thenServiceId)];
          return (
            <tr key={rule.id}>
              <th scope="row">{first}</th>
              <td data-label="Rule">
                {RULE_NAMES[rule.rule]}
                {/* An arrow on a line of its own leads nowhere. */}
                {isDirected(rule.rule) && <span aria-hidden>{'\u00a0→'}</span>}{' '}
                {conflicting.includes(rule.id) && <Badge tone="bad">Contradicts</Badge>}
              </td>
              <td data-label="Second service">{then}</td>
              <td data-label="Bounds">{boundsText(rule)}</td>
              {onDelete && (
                <td data-figures>
                  <Button
                    variant="quiet"
                    aria-label={`Delete: ${ruleSentence(rule, first, then)}`}
                    onClick={() => onDelete(rule)}
                  >
                    <Trash2 size={18} aria-hidden />
                  </Button>
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
