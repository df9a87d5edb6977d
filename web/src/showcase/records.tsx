import { Stack } from '@chakra-ui/react';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { LongList } from '../ui/long-list';
import { moneyText } from '../ui/money';
import { phoneText } from '../ui/phone';
import { Table } from '../ui/table';
import { Figures, H1, H2, H3, Muted, Text } from '../ui/text';
import { Example, States } from './example';

const PEOPLE = ['Mia Larsen', 'Noah Adeyemi', 'Wilhelmina van der Bergh-Castellanos'];
const SALES = [
  { name: 'Full colour', visits: 38, minor: 11800 },
  { name: 'Blow dry', visits: 124, minor: 3600 },
];

/** What records are shown with. */
export function Records() {
  return (
    <>
      <Example title="Text" use="Three headings, text, and what supports it." code={'<H2>Hair</H2>'}>
        <Stack gap="2">
          <H1 as="p">Heading 1</H1>
          <H2 as="p">Heading 2</H2>
          <H3 as="p">Heading 3</H3>
          <Text>Text, as long as it takes.</Text>
          <Muted>What supports the line above it.</Muted>
          <Figures>0123456789</Figures>
        </Stack>
      </Example>
      <Example
        title="Card"
        use="A titled part of a page. Lists run to its edges."
        code={'<Card title="Hair" action={<Button>New service</Button>} flush>…</Card>'}
      >
        <Card title="Hair" action={<Button>New service</Button>}>
          <Text>What stands in it.</Text>
        </Card>
      </Example>
      <Example
        title="Facts"
        use="Names and values of one record."
        code={'<Facts><Fact name="Phone">{phoneText(phone)}</Fact></Facts>'}
      >
        <Facts>
          <Fact name="Phone">{phoneText('+442079460123')}</Fact>
          <Fact name="Price">{moneyText(4550, 'GBP')}</Fact>
        </Facts>
      </Example>
      <Example
        title="Avatar"
        use="Initials on a colour of their own, beside the name."
        code={'<Avatar name="Mia Larsen" />'}
      >
        <States>
          {PEOPLE.map((name) => (
            <States key={name}>
              <Avatar name={name} />
              {name}
            </States>
          ))}
        </States>
      </Example>
      <Example
        title="Table"
        use="Figures to compare. Wider than its place, it scrolls there."
        code={'<Table label="Sales"><thead>…</thead><tbody>…</tbody></Table>'}
      >
        <Table label="Sales">
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col" data-figures>
                Visits
              </th>
              <th scope="col" data-figures>
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {SALES.map(({ name, visits, minor }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-figures>{visits}</td>
                <td data-figures>{moneyText(minor, 'GBP')}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Example>
      <Example
        title="Long list"
        use="Past a hundred rows only those in sight are in the document."
        code={'<LongList items={people} keyOf={(name) => name} rowHeight={44}>{row}</LongList>'}
      >
        <LongList items={PEOPLE} keyOf={(name) => name} rowHeight={44}>
          {(name) => <Text py="2">{name}</Text>}
        </LongList>
      </Example>
    </>
  );
}
