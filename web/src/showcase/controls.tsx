import { chakra, Stack } from '@chakra-ui/react';
import { Archive, EllipsisVertical, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { ConfirmDialog, DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField, TextArea, TextField } from '../ui/field';
import { linkRecipe } from '../ui/link-style';
import { Menu, MenuGroup, MenuItem } from '../ui/menu';
import { SelectField } from '../ui/select-field';
import { Text } from '../ui/text';
import { WordsField } from '../ui/words-field';
import { Example, States } from './example';

const Link = chakra('a', linkRecipe);

/** Buttons, choices and fields. */
export function Controls() {
  return (
    <>
      <Example
        title="Button"
        use="Contained for the one way on of a page or dialog, outline beside it, quiet in rows."
        code={'<Button variant="contained" loading={isSubmitting}>Save service</Button>'}
      >
        <States>
          <Button variant="contained">Contained</Button>
          <Button>Outline</Button>
          <Button variant="quiet">Quiet</Button>
          <Button variant="danger">Danger</Button>
          <Button variant="dangerOutline">Danger outline</Button>
          <Button variant="contained" loading>
            Saving
          </Button>
          <Button disabled>Disabled</Button>
        </States>
      </Example>
      <Example
        title="Link"
        use="Going somewhere, in running text."
        code={'<TextLink to={paths.privacy}>Privacy</TextLink>'}
      >
        <Link href="#link">A link in a sentence</Link>
      </Example>
      <Example
        title="Text field"
        use="A labelled line; its hint gives way to its error."
        code={'<TextField label="Name" error={errors.name?.message} {...form.register(\'name\')} />'}
      >
        <Stack gap="4" maxWidth="24rem">
          <TextField label="Name" defaultValue="Full colour" />
          <TextField label="Kind" hint="Such as chair, room or steamer." />
          <TextField label="Price" defaultValue="much" error="Enter an amount, such as 45." />
          <TextField label="Not now" disabled defaultValue="Disabled" />
          <PasswordField label="Password" defaultValue="made-up" autoComplete="off" />
          <TextArea label="Note" hint="For those who do the work." />
        </Stack>
      </Example>
      <Example
        title="Select field"
        use="A choice of a few; the browser’s own list opens."
        code={'<SelectField label="Rule"><option value="1">One after the other</option></SelectField>'}
      >
        <Stack gap="4" maxWidth="24rem">
          <SelectField label="Rule" hint="What holds between the two.">
            <option>One after the other</option>
            <option>Same person</option>
          </SelectField>
          <SelectField label="Service" error="Choose a service.">
            <option>Choose…</option>
          </SelectField>
        </Stack>
      </Example>
      <Example
        title="Check field"
        use="Something that holds or does not."
        code={'<CheckField label="Mia Larsen" checked={does} onChange={toggle} />'}
      >
        <CheckField label="Mia Larsen" defaultChecked />
        <CheckField label="Noah Adeyemi" />
      </Example>
      <Words />
      <Example
        title="Menu"
        use="What can be done with one row; worked by arrows, letters and Escape."
        code={'<Menu label="Change Full colour" trigger={<EllipsisVertical />}>…</Menu>'}
      >
        <Menu label="Change Full colour" trigger={<EllipsisVertical size={20} aria-hidden />}>
          <MenuGroup label="Full colour">
            <MenuItem value="edit" onPick={() => undefined}>
              <Pencil size={18} aria-hidden />
              Edit
            </MenuItem>
            <MenuItem value="archive" onPick={() => undefined}>
              <Archive size={18} aria-hidden />
              Archive
            </MenuItem>
          </MenuGroup>
        </Menu>
      </Example>
      <Dialogs />
    </>
  );
}

function Words() {
  const [words, setWords] = useState(['dye', 'all over colour']);
  return (
    <Example
      title="Words field"
      use="A list of short texts. Enter adds one."
      code={'<WordsField label="Also heard as" words={aliases} onChange={setAliases} />'}
    >
      <Stack maxWidth="24rem">
        <WordsField label="Also heard as" words={words} onChange={setWords} />
      </Stack>
    </Example>
  );
}

function Dialogs() {
  const [open, setOpen] = useState<'form' | 'question'>();
  const close = () => setOpen(undefined);
  return (
    <Example
      title="Dialog"
      use="A form in front of everything, or a question before what others will notice."
      code={'<FormDialog title="New rule" busy={isSubmitting} onSubmit={save} onClose={close}>…</FormDialog>'}
    >
      <States>
        <Button onClick={() => setOpen('form')}>Open a form</Button>
        <Button onClick={() => setOpen('question')}>Ask a question</Button>
      </States>
      {open === 'form' && (
        <FormDialog title="New resource" onSubmit={close} onClose={close}>
          <TextField label="Name" />
          <DialogActions>
            <Button onClick={close} minHeight="12">
              Cancel
            </Button>
            <Button type="submit" variant="contained">
              Add resource
            </Button>
          </DialogActions>
        </FormDialog>
      )}
      {open === 'question' && (
        <ConfirmDialog
          title="Cancel this appointment?"
          confirm="Cancel appointment"
          keep="Keep appointment"
          running={false}
          onConfirm={close}
          onClose={close}
        >
          <Text>The time becomes free for others.</Text>
        </ConfirmDialog>
      )}
    </Example>
  );
}
